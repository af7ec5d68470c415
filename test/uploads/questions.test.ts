import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService, context } from '../support/servers/book-service.ts'

const [enter, down, controlC] = ['\r', '\u001b[B', '\u0003']

/** A machine with the sandbox, to which a book was uploaded. */
async function scene() {
  const { sandbox, home } = machine()
  const at = (...names: string[]) => join(home, ...names)
  writeFileSync(at('first.epub'), makeBook())
  const before = await sandbox(['publications', 'upload', at('first.epub'), '--json'])
  expect(before.code).toBe(0)
  mkdirSync(at('books'))
  const list = async (...what: string[]) => JSON.parse((await sandbox([...what, 'list', '--json'])).out)
  return {
    ...{ home, at },
    /** Copies of the book, beside one of another title. */
    copies(...names: string[]) {
      for (const name of names) copyFileSync(at('first.epub'), at('books', name))
      writeFileSync(at('books', 'other.epub'), makeBook({ metadata: other }))
    },
    upload: (...args: string[]) =>
      atTerminal(['--profile', 'sandbox', 'publications', 'upload', ...args], { home, columns: 120 }),
    publications: async () => (await list('publications')).length,
    keys: async () => (await list('metadata-keys')).map(({ key }: { key: string }) => key),
  }
}

const other =
  '<dc:identifier id="id">other</dc:identifier><dc:title>Other</dc:title><dc:language>en</dc:language>'

describe.skipIf(process.platform === 'win32')('a copy, at a terminal,', () => {
  it('is uploaded once more where a person says so, and skipped where not', async () => {
    const { at, upload, publications, copies } = await scene()
    copies('copy.epub')
    const no = upload(at('books/copy.epub'))
    await no.until(/copy\.epub is a copy: .*Upload it once more\?.*\(y\/N\)/s)
    no.type(enter)
    expect(await no.ended()).toMatchObject({ code: 0, text: expect.stringMatching(/skipped/) })
    expect(await publications()).toBe(1)
    const yes = upload(at('books/copy.epub'))
    await yes.until(/\(y\/N\)/)
    yes.type(`y${enter}`)
    expect(await yes.ended()).toMatchObject({ code: 0, text: expect.stringMatching(/uploaded/) })
    expect(await publications()).toBe(2)
  })

  it.runIf(isSlow)('is asked about within a batch too, one after the other', async () => {
    const { at, upload, publications, copies } = await scene()
    copies('a.epub', 'b.epub')
    const asked = upload(at('books'))
    await asked.until(/a\.epub is a copy: .*Upload it once more\?.*No, skip it/s)
    asked.type(enter)
    await asked.until(/b\.epub is a copy: .*Upload it once more\?.*No, skip it/s)
    asked.type(`${down}${down}${enter}`)
    const { code, text } = await asked.ended()
    expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/2 uploaded, 1 skipped/) })
    expect(await publications()).toBe(3)
  })

  it.runIf(isSlow).each([
    ['skips every copy', 1, /1 uploaded, 3 skipped/, 2],
    ['uploads every copy', 3, /4 uploaded/, 5],
  ])('is asked about once where the answer %s', async (_, steps, summary, publicationCount) => {
    const { at, upload, publications, copies } = await scene()
    copies('a.epub', 'b.epub', 'c.epub')
    const asked = upload(at('books'))
    await asked.until(/Upload it once more\?.*No, skip it/s)
    asked.type(`${down.repeat(steps)}${enter}`)
    const { code, text } = await asked.ended()
    expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(summary) })
    expect(new Set(text.match(/\w\.epub is a copy/g)).size).toBe(1)
    expect(await publications()).toBe(publicationCount)
  })

  it.runIf(isSlow)(
    'that nobody decides about ends the batch on Ctrl-C, without another question',
    async () => {
      const { at, upload, publications, copies } = await scene()
      copies('a.epub', 'b.epub')
      const asked = upload(at('books'))
      await asked.until(/Upload it once more\?.*No, skip it/s)
      asked.type(controlC)
      const { code, text } = await asked.ended()
      expect(code).toBe(130)
      expect(new Set(text.match(/\w\.epub is a copy/g)).size).toBe(1)
      expect(await publications()).toBeLessThanOrEqual(2)
    },
  )

  it.runIf(isSlow)('is skipped without a word where the command says what to do', async () => {
    const { at, upload, copies } = await scene()
    copies('a.epub')
    const { code, text } = await upload(at('books'), '--no-input').ended()
    expect({ code, text }).toEqual({ code: 0, text: expect.not.stringContaining('is a copy') })
  })
})

describe.skipIf(process.platform === 'win32')('the metadata key sha256', () => {
  it.runIf(isSlow)('is created where a person says so, and then not asked about', async () => {
    const { at, upload, keys } = await scene()
    const asked = upload(at('first.epub'), '--skip-existing')
    await asked.until(/no active metadata key "sha256".*Create it\?.*\(y\/N\)/s)
    asked.type(`y${enter}`)
    expect(await asked.ended()).toMatchObject({
      code: 0,
      text: expect.stringContaining('The metadata key "sha256" is created.'),
    })
    expect(await keys()).toContain('sha256')
    expect((await upload(at('first.epub'), '--skip-existing').ended()).text).not.toContain('(y/N)')
  })

  it.runIf(isSlow)('is offered once to who declines, at each service', async () => {
    const { home, at, upload, keys } = await scene()
    const decline = async (asked: ReturnType<typeof upload>) => {
      await asked.until(/Create it\?.*\(y\/N\)/s)
      asked.type(enter)
      expect((await asked.ended()).code).toBe(0)
    }
    await decline(upload(at('first.epub'), '--skip-existing'))
    const again = await upload(at('first.epub'), '--skip-existing').ended()
    expect(again).toMatchObject({ code: 0, text: expect.not.stringContaining('(y/N)') })
    expect(await keys()).not.toContain('sha256')

    const { env } = await bookService({ to: /metadata-keys/, status: 200, body: { items: [], context } })
    const elsewhere = () =>
      atTerminal(['publications', 'upload', at('first.epub'), '--skip-existing'], { home, env })
    await decline(elsewhere())
    expect((await elsewhere().ended()).text).not.toContain('(y/N)')
  })
})
