import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const house =
  'name: House\nrules:\n  - { id: house-title, severity: error, check: { title: { not: "^A" } }, hint: Name it B. }\n'

it('checks books by rules: in the list, in reports and in the exit code', async () => {
  const { run, home } = machine()
  const at = (name: string) => `${home}/${name}`
  writeFileSync(at('book.epub'), makeBook())
  writeFileSync(at('house.yaml'), house)
  writeFileSync(at('mild.yaml'), 'rules: [{ id: house-title, severity: warning }]\n')
  const inspect = (...args: string[]) => run(['inspect', at('book.epub'), ...args])
  expect((await inspect()).code).toBe(0)
  const found = await inspect('--json', '--rules', at('house.yaml'), '--report', at('report.sarif'))
  expect(found.code).toBe(2)
  expect(JSON.parse(found.out)).not.toHaveProperty('content')
  expect(JSON.parse(found.out).problems).toEqual([
    {
      ...{ severity: 'error', code: 'house-title', hint: 'Name it B.' },
      message: 'The title is "A Title", which matches ^A.',
    },
  ])
  const [result] = JSON.parse(readFileSync(at('report.sarif'), 'utf8')).runs[0].results
  expect(result).toMatchObject({ ruleId: 'house-title', level: 'error' })
  const milder = ['--rules', at('house.yaml'), '--rules', at('mild.yaml')]
  expect((await inspect(...milder)).code).toBe(0)
  expect((await inspect(...milder, '--strict')).code).toBe(2)
})

it('refuses rules before any book is read', async () => {
  const { run, home } = machine()
  writeFileSync(`${home}/house.yaml`, 'rules:\n  - { id: a, check: { covr: {} } }\n')
  const wrong = await run(['inspect', 'none.epub', '--rules', `${home}/house.yaml`])
  expect(wrong.code).toBe(2)
  expect(wrong.err).toContain('house.yaml cannot be used: rules.0.check.covr: is none of book, name,')
  expect(wrong.err).toContain(': line 2, column ')
  const none = await run(['inspect', 'none.epub', '--rules', 'qualibook'])
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('there are no rules "qualibook"')])
  const both = await run(['inspect', 'none.epub', '--rules', 'a.yaml', '--accessibility'])
  expect([both.code, both.err]).toEqual([
    2,
    expect.stringContaining('--rules cannot be used with --accessibility'),
  ])
})

it('compares a book with its record in a sheet or an ONIX message', async () => {
  const { run, home } = machine()
  const at = (name: string) => `${home}/${name}`
  const book = (isbn: string, title: string) =>
    makeBook({
      metadata: `<dc:identifier>urn:isbn:${isbn}</dc:identifier><dc:title>${title}</dc:title><dc:creator>A</dc:creator><dc:language>en</dc:language>`,
    })
  const [own, other] = ['9783161484100', '9780306406157']
  const rules = 'rules: [{ id: of-feed, check: { feed: { listed: true, isbn: true, title: true } } }]\n'
  writeFileSync(at('house.yaml'), rules)
  writeFileSync(at(`${own}.epub`), book(own, 'Étude'))
  writeFileSync(at('wrong-978-0-306-40615-7.epub'), book(own, 'Nocturne'))
  writeFileSync(at('unlisted.epub'), book('9791091146135', 'Nocturne'))
  const product = (isbn: string, title: string) =>
    `<Product><RecordReference>${isbn}</RecordReference><NotificationType>03</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier><DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>ED</ProductForm><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>${title}</TitleText></TitleElement></TitleDetail></DescriptiveDetail></Product>`
  writeFileSync(
    at('feed.xml'),
    `<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Header/>${product(own, 'ETUDE')}${product(other, 'Serenade')}</ONIXMessage>`,
  )
  writeFileSync(
    at('sheet.csv'),
    `file,isbn,title\n${own}.epub,${own},Etude: Opus 1\nunlisted.epub,${own},Nocturne\n`,
  )
  const said = async (...args: string[]) => {
    const { out } = await run(['inspect', ...args, '--rules', at('house.yaml'), '--json'])
    const books = [JSON.parse(out)].flat() as {
      file: string
      problems: { code: string; message: string }[]
    }[]
    return Object.fromEntries(
      books.map(({ file, problems }) => [
        file.slice(file.lastIndexOf('/') + 1),
        problems.filter(({ code }) => /^of-feed|^rule_/.test(code)).map(({ message }) => message),
      ]),
    )
  }
  expect(await said(home, '--feed', at('feed.xml'))).toEqual({
    [`${own}.epub`]: [],
    'wrong-978-0-306-40615-7.epub': [
      `The ISBN of the record is ${other}, and the book has ${own}.`,
      'The title of the record is "Serenade", and the book has "Nocturne".',
    ],
    'unlisted.epub': ['The feed has no record of the book.'],
  })
  expect(await said('--manifest', at('sheet.csv'))).toEqual({
    [`${own}.epub`]: [],
    'unlisted.epub': [`The ISBN of the record is ${own}, and the book has 9791091146135.`],
  })
  expect(await said(at('unlisted.epub'))).toEqual({
    'unlisted.epub': ['What these rules ask is not known of this EPUB: of-feed.'],
  })
})
