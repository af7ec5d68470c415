import { describe, expect, it } from 'vitest'
import { problemsBy } from '../../support/books/judge.ts'
import { honestMetadata, makeBook } from '../../support/books/make-book.ts'
import { isSlow } from '../../support/machine/slow.ts'

const nameless = makeBook({ metadata: honestMetadata.replace(/<dc:creator>.*<\/dc:creator>/, '') })
const said = async (rules: string, book: Uint8Array = nameless, ...more: string[]) =>
  (await problemsBy(`rules:\n${rules}`, book, ...more)).map(({ severity, code, message }) => [
    severity,
    code,
    message,
  ])

describe('a rule', () => {
  it('is a warning of its id with its hint and address, unless it says otherwise', async () => {
    const [found] = await problemsBy(
      'rules: [{ id: a, check: { title: { not: A } }, hint: Write B., link: "https://a.example/" }]',
      makeBook(),
    )
    expect(found).toEqual({
      ...{ severity: 'warning', code: 'a', message: 'The title is "A Title", which matches A.' },
      hint: 'Write B. https://a.example/',
    })
    const [first] = await said('  - { id: a, severity: error, check: { title: { not: A } } }')
    expect(first?.slice(0, 2)).toEqual(['error', 'a'])
    expect(await said('  - { id: a, severity: off, check: { title: { not: A } } }', makeBook())).toEqual([])
  })

  it('grades what is found without it, and what EPUBCheck finds', async () => {
    const graded = async (severity: string) =>
      (
        await said(`  - { id: author_missing, severity: ${severity} }\n  - { id: RSC-005, severity: off }`)
      ).map(([grade]) => grade)
    expect(await graded('error')).toEqual(['error'])
    expect(await graded('information')).toEqual(['information'])
    expect(await graded('off')).toEqual([])
  })

  it('is for the books that it says', async () => {
    const when = async (condition: string) =>
      (await said(`  - { id: a, when: { ${condition} }, check: { title: { not: A } } }`, makeBook())).length
    expect(
      await when('types: [EPUB], layouts: [reflowable], versions: ["3"], languages: [EN], name: "^book"'),
    ).toBe(1)
    for (const other of [
      'types: [PDF]',
      'layouts: [fixed]',
      'versions: ["2"]',
      'languages: [de]',
      'name: x',
      'has: [table]',
    ])
      expect(await when(other)).toBe(0)
  })

  it('is information for its exceptions, and says that one has ended', async () => {
    const rule = (until: string, books: string) =>
      `  - { id: a, check: { title: { not: A } }, except: [{ books: [${books}], until: ${until}, reason: Old. }] }`
    const message = 'The title is "A Title", which matches A.'
    expect(await said(rule('2026-06-01', '"b*.epub"'), makeBook())).toEqual([
      ['information', 'a', `${message} (Excepted until 2026-06-01: Old.)`],
    ])
    expect(await said(rule('2026-05-31', '"b*.epub"'), makeBook())).toEqual([
      ['warning', 'a', message],
      ['information', 'waiver_ended', 'The exception of the rule a ended on 2026-05-31.'],
    ])
    expect(await said(rule('2026-06-01', 'c*.epub, book'), makeBook())).toEqual([['warning', 'a', message]])
    const ofAll = '  - { id: author_missing, severity: error, until: 2026-06-01 }'
    expect((await said(ofAll)).map(([severity]) => severity)).toEqual(['information'])
  })

  it('is named where what it asks is not known of the book, and where it is for a person', async () => {
    const pdf = Buffer.from('%PDF-1.4\n')
    const rules =
      '  - { id: a, check: { pages: { every: [title] } } }\n  - { id: b, person: Look at the cover. }'
    const found = await said(rules, pdf, 'book.pdf')
    expect(found).toContainEqual([
      'information',
      'rule_not_applied',
      'What these rules ask is not known of this PDF: a.',
    ])
    expect(found).toContainEqual(['information', 'rules_for_person', 'Left to a person by rules.yaml: b.'])
  })

  it.runIf(isSlow)('is stopped where its expression would take years, and the others are asked', async () => {
    const hostile = makeBook({ metadata: `<dc:title>${'a'.repeat(60)}b</dc:title>` })
    const rules =
      '  - { id: slow, check: { title: { pattern: "^(a+)+$" } } }\n  - { id: quick, check: { title: { pattern: "^c" } } }'
    const found = await said(rules, hostile)
    expect(found.filter(([, code]) => code === 'rule_stopped' || code === 'slow')).toEqual([
      [
        'warning',
        'rule_stopped',
        'The rule slow was stopped, since its expression takes too long for this book.',
      ],
    ])
    expect(found.map(([, code]) => code)).toContain('quick')
  })

  it('says that a page was not read to its end', async () => {
    const broken = makeBook({
      entries: { 'EPUB/one.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>' },
    })
    const found = await problemsBy('rules: [{ id: a, check: { pages: { some: [table] } } }]', broken)
    expect(found.map(({ code, place }) => [code, place])).toContainEqual(['rules_partial', 'EPUB/one.xhtml'])
  })
})

describe('a file of rules', () => {
  it.each([
    ['- { id: a, check: { cver: {} } }', 'rules.0.check.cver: is none of book, name,'],
    [
      '- { id: a, check: { cover: { side: 1 } } }',
      'rules.0.check.cover.side: is none of required, shortSide,',
    ],
    [
      '- { id: a, check: { cover: { width: { most: 1 } } } }',
      'rules.0.check.cover.width.most: is none of min, max',
    ],
    ['- { id: a, check: { cover: [{ width: {} }] } }', 'rules.0.check.cover.0.width: needs min or max'],
    ['- { id: a, check: { cover: { bytes: { max: 5 MX } } } }', 'is no size such as 5 MB'],
    [
      '- { id: a, check: { pages: { every: [titel] } } }',
      'is none of the names of pages, which docs/rules.md lists',
    ],
    ['- { id: a, check: { title: { not: "(" } } }', 'rules.0.check.title.not: is no regular expression'],
    ['- { id: a, check: { metadata: { count: { min: 1 } } } }', 'rules.0.check.metadata: needs name'],
    ['- { id: a, chek: {} }', 'rules.0.chek: is none of id, severity,'],
    ['- { id: a, check: {} }', 'rules.0.check: is empty'],
    ['- { id: a }', '"a" needs a check'],
    ['- { id: author_missing }', '"author_missing" changes nothing'],
    [
      '- { id: author_missing, check: { title: {} } }',
      'is the code of a problem that pubctl finds by itself',
    ],
    ['- { id: author_missing, until: 2026-13-01 }', 'is no day such as 2027-01-31'],
    ['- { id: author_missing, except: [{ books: [a] }] }', 'rules.0.except.0.until'],
    ['- { id: author_missing, severity: of }', 'rules.0.severity'],
    [
      '- { id: b, person: Look. }\n  - { id: b, person: Look. }',
      'rules.1.id: "b" occurs twice: line 3, column 11',
    ],
    ['- &a { id: b, person: Look. }\n  - *a', 'alias'],
  ])('is refused with the place for %j', async (rule, says) => {
    const refused = problemsBy(`rules:\n  ${rule}\n`, nameless)
    await expect(refused).rejects.toMatchObject({ code: 'bad_rules', exitCode: 2 })
    await expect(refused).rejects.toThrow(says)
    if (says !== 'alias') await expect(refused).rejects.toThrow(/: line [23], column \d+$/)
  })
})
