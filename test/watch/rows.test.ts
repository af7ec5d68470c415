import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { message, record, title } from '../support/catalogues/onix.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { watchScene } from '../support/machine/watch-scene.ts'

describe('a sheet beside the books', () => {
  it('is their metadata; it is moved when all its rows are settled, also those of an earlier run', async () => {
    const { put, at, watch, titles, files, receipt } = watchScene()
    await put('one.epub', 'Own Title')
    await put('alone.epub', 'Alone')
    writeFileSync(at('books.csv'), 'file,title\none.epub,From the Sheet\nlater.epub,Later From the Sheet\n')
    const first = await watch()
    expect(first.code).toBe(0)
    expect(first.of('waiting').map(({ why }) => why)).toEqual(['1 of 2 rows wait for their files'])
    await put('later.epub', 'Own Later Title')
    expect((await watch()).code).toBe(0)
    const names = await titles()
    for (const title of ['From the Sheet', 'Later From the Sheet', 'Alone']) expect(names).toContain(title)
    for (const title of ['Own Title', 'Own Later Title']) expect(names).not.toContain(title)
    expect(files().filter(name => !name.startsWith('done'))).toEqual([])
    expect(
      receipt('done', 'books.csv.receipt.json').rows.map(({ outcome }: { outcome: string }) => outcome),
    ).toEqual(['uploaded', 'uploaded'])
  })

  it('stays if it cannot be used, and the books beside it wait', async () => {
    const { put, at, watch, files } = watchScene()
    await put('one.epub', 'One')
    writeFileSync(at('books.csv'), 'file,tilte\none.epub,From the Sheet\n')
    const { code, of } = await watch()
    expect(code).toBe(10)
    expect(
      of('waiting')
        .map(({ file }) => file)
        .sort(),
    ).toEqual([at('books.csv'), at('one.epub')])
    expect(files()).toEqual(['books.csv', 'one.epub'])
    writeFileSync(at('books.csv'), 'file,title\none.epub,From the Sheet\n')
    expect((await watch()).code).toBe(0)
  })

  it.each([
    ['a null byte', 'one\0.epub'],
    ['more letters than a name can have', `${'a'.repeat(300)}.epub`],
    ['more letters than a path can have', `${'a/'.repeat(3000)}.epub`],
  ])('waits where a file of it has a name with %s', async (_, name) => {
    const { put, at, watch } = watchScene()
    await put('one.epub', 'One')
    writeFileSync(at('books.csv'), `file,title\none.epub,From the Sheet\n"${name}",Never\n`)
    const { code, of } = await watch()
    expect(code).toBe(0)
    expect(of('done')).toHaveLength(1)
    expect(of('waiting').map(({ why }) => why)).toEqual(['1 of 2 rows wait for their files'])
  })

  it('cannot publish files or covers of other folders', async () => {
    const { put, at, watch, titles, receipt } = watchScene()
    const other = join(temporaryFolder(), 'secret.epub')
    writeFileSync(other, await makeExampleEpub({ title: 'Secret' }))
    await put('one.epub', 'One')
    writeFileSync(at('books.csv'), `file,cover\n${other},\none.epub,/etc/hostname\n`)
    const { code, of } = await watch()
    expect({ code, failed: of('failed').length }).toEqual({ code: 10, failed: 2 })
    expect(receipt('failed', 'one.epub.receipt.json').error.message).toBe(
      'it names /etc/hostname, which is not in the watched folder',
    )
    expect(await titles()).not.toContain('Secret')
    expect(existsSync(other)).toBe(true)
  })
})

describe('an ONIX message beside the books', () => {
  const isbn = '9783161484100'

  it('is their metadata, and is moved when all its records are settled', async () => {
    const { put, at, watch, titles, files, receipt } = watchScene()
    await put(`${isbn}.epub`, 'Own Title')
    writeFileSync(at('feed.xml'), message(record({ title: title({ TitleText: 'From the Message' }) })))
    const { code, of } = await watch()
    expect({ code, failed: of('failed') }).toEqual({ code: 0, failed: [] })
    expect(await titles()).toContain('From the Message')
    expect(await titles()).not.toContain('Own Title')
    expect(files()).toEqual(
      [`${isbn}.epub`, `${isbn}.epub.receipt.json`, 'feed.xml', 'feed.xml.receipt.json'].map(name =>
        join('done', name),
      ),
    )
    expect(receipt('done', `${isbn}.epub.receipt.json`)).toMatchObject({
      ...{ key: isbn, outcome: 'uploaded', from: { onix: at('feed.xml') } },
    })
  })

  it('that is not well-formed stays, and so do the books beside it', async () => {
    const { put, at, watch, files } = watchScene()
    await put(`${isbn}.epub`, 'Own Title')
    writeFileSync(at('feed.xml'), `${message(record())}</x>`)
    expect((await watch()).code).toBe(10)
    expect(files()).toEqual([`${isbn}.epub`, 'feed.xml'])
  })
})

describe('the rows of a sheet', () => {
  const isbn = '9783161484100'

  it('are matched by --match, and find their files by --name', async () => {
    const { put, at, watch, sandbox, titles, receipt } = watchScene()
    await sandbox(['metadata-keys', 'create', 'sku'])
    await put('The book SKU-7.epub', 'Own Title')
    writeFileSync(at('books.csv'), 'key,title\nSKU-7,From the Sheet\n')
    const { code } = await watch(['--match', 'metadata:sku', '--name', '*{key}.epub'])
    expect(code).toBe(0)
    expect(await titles()).toContain('From the Sheet')
    expect(receipt('done', 'The book SKU-7.epub.receipt.json')).toMatchObject({ key: 'SKU-7' })
    // The same once more, under another name, is known by its key.
    await put('sku-7.epub', 'Own Title')
    writeFileSync(at('more.csv'), 'key,title\nSKU-7,From the Sheet\n')
    const again = await watch(['--match', 'metadata:sku', '--name', '*{key}.epub'])
    expect({ code: again.code, outcomes: again.of('done').map(({ outcome }) => outcome) }).toEqual({
      code: 0,
      outcomes: ['skipped', 'skipped'],
    })
  })

  it('are in the encoding that --encoding names', async () => {
    const { put, at, watch, titles } = watchScene()
    await put('one.epub', 'Own Title')
    writeFileSync(at('books.csv'), Buffer.from('file,title\none.epub,Gr\u00f6\u00dfe\n', 'latin1'))
    expect((await watch()).code).toBe(10)
    expect((await watch(['--encoding', 'windows-1252'])).code).toBe(0)
    expect(await titles()).toContain('Gr\u00f6\u00dfe')
  })

  it.runIf(isSlow)(
    'make a new edition with --reissue where only a title differs, and not where the content does',
    async () => {
      const { put, at, watch, titles, receipt } = watchScene()
      const row = async (name: string, from: string, padding = 100) => {
        await put('one.epub', 'Own Title', padding)
        writeFileSync(at(name), `file,title,isbn\none.epub,${from},${isbn}\n`)
      }
      await row('first.csv', 'First')
      expect((await watch()).code).toBe(0)
      await row('second.csv', 'Second')
      expect((await watch()).code).toBe(10)
      expect(receipt('failed', 'one.epub.receipt.json').error.message).toContain('another title')
      await row('third.csv', 'Second')
      expect((await watch(['--reissue'])).of('failed')).toEqual([])
      expect(await titles()).toContain('Second')
      await row('fourth.csv', 'Second', 500)
      expect((await watch(['--reissue'])).code).toBe(10)
    },
  )

  it.runIf(isSlow)('create a second book of a title with --new', async () => {
    const { put, at, watch, titles } = watchScene()
    await put('one.epub', 'One Title', 100)
    expect((await watch()).code).toBe(0)
    const row = async (name: string) => {
      await put('two.epub', 'One Title', 300)
      writeFileSync(at(name), `file,isbn\ntwo.epub,${isbn}\n`)
    }
    await row('first.csv')
    expect((await watch()).code).toBe(10)
    await row('second.csv')
    expect((await watch(['--new'])).code).toBe(0)
    expect((await titles()).filter(each => each === 'One Title')).toHaveLength(2)
  })
})
