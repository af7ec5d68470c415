import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Product } from '../../src/plan/product.ts'
import type { Failure } from '../../src/system/errors.ts'
import { declared, inRoot, refusedMessages, whole } from '../support/catalogues/hostile-messages.ts'
import { message, onixFile, record } from '../support/catalogues/onix.ts'
import { readProducts } from '../support/catalogues/read-products.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

async function titlesIn(path: string): Promise<(string | undefined)[]> {
  const titles: (string | undefined)[] = []
  for await (const product of readProducts([path])) titles.push((product as Product).overrides.title)
  return titles
}

describe('an ONIX message', () => {
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(whole)],
    ['UTF-8 without a declaration', Buffer.from(whole.replace(/^<\?.*\?>\n/, ''))],
    ['UTF-8 with a byte order mark, whatever it declares', Buffer.from(`\uFEFF${declared('ISO-8859-1')}`)],
    ['UTF-16 of little endian', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16 of big endian', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(declared('UTF-16LE'), 'utf16le')],
    [
      'Windows-1252',
      Buffer.from(declared('windows-1252').replace('–', '\x96').replace('œ', '\x9c'), 'latin1'),
    ],
    [
      'ISO-8859-1 with the dashes of Windows',
      Buffer.from(declared('iso-8859-1').replace('–', '\x96').replace('œ', '\x9c'), 'latin1'),
    ],
    [
      'ISO-8859-1 with numbers for the rest',
      Buffer.from(declared('ISO-8859-1').replace('–', '&#8211;').replace('œ', '&#x153;'), 'latin1'),
    ],
    [
      'ISO-8859-15',
      Buffer.from(declared('ISO-8859-15').replace('–', '&#8211;').replace('œ', '\xbd'), 'latin1'),
    ],
  ])('is read in %s', async (_, bytes) => {
    expect(await titlesIn(onixFile(bytes))).toEqual(['Étude – œuvre'])
  })

  it('is told by its content, whatever its name', async () => {
    expect(await titlesIn(onixFile(whole, 'feed.csv'))).toEqual(['Étude – œuvre'])
    expect(
      await titlesIn(onixFile(Buffer.from(`\uFEFF\n${whole}`.replace(/<\?.*\?>\n/, ''), 'utf16le'), 'feed')),
    ).toEqual(['Étude – œuvre'])
  })

  it('may say that it has no products', async () => {
    expect(await titlesIn(onixFile(message('<NoProduct/>')))).toEqual([])
  })

  it("has HTML's entities where it has a document type, which is not fetched", async () => {
    const system = 'http://127.0.0.1:1/ONIX_BookProduct_3.0_reference.dtd'
    const xml = `<!DOCTYPE ONIXMessage SYSTEM "${system}">${inRoot(' release="3.0"').replace('The Sea', 'Caf&eacute; &mdash; &#233;')}`
    expect(await titlesIn(onixFile(xml))).toEqual(['Café — é'])
  })

  it.each(refusedMessages)('%s is refused in a line', async (_, content, words, hint) => {
    const path = onixFile(content)
    const failure: Failure = await titlesIn(path).then(
      () => expect.unreachable(),
      error => error,
    )
    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringMatching(words) })
    expect(failure.message).toContain(path)
    expect(failure.message).not.toContain('\n')
    expect(failure.hint).toMatch(hint)
  })

  it('that is a folder is refused in a line', async () => {
    const folder = join(temporaryFolder(), 'feed.xml')
    mkdirSync(folder)
    await expect(titlesIn(folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is a folder'),
    })
  })

  it('that is broken off gives the records before that, and then the failure', async () => {
    const records = Array.from({ length: 1000 }, (_, index) => record({ reference: `r${index}` }))
    const path = onixFile(message(...records).slice(0, -100))
    let count = 0
    const reading = async () => {
      for await (const _ of readProducts([path])) count += 1
    }
    await expect(reading()).rejects.toMatchObject({ code: 'bad_onix' })
    expect(count).toBe(999)
  })
})
