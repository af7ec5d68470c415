import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageFailure } from '../../src/system/errors.ts'
import { hostileBooks } from '../support/books/hostile-books.ts'
import { hostilePdfs } from '../support/books/hostile-pdfs.ts'
import { fileOf, makeBook } from '../support/books/make-book.ts'
import { readBook, readCover } from '../support/books/read-book.ts'
import { sparseBook } from '../support/books/sparse-book.ts'
import { mostMemory } from '../support/machine/most-memory.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { type ChildReading, childReader, leastOf } from '../support/machine/read-in-child.ts'
import { isSlow, share } from '../support/machine/slow.ts'

let reader: Awaited<ReturnType<typeof childReader>>
beforeAll(async () => {
  reader = await childReader()
})
afterAll(() => reader.remove())

/** What each of these ends as: the codes of its problems or the code of its failure. */
const outcomes: Record<string, string> = {
  'an honest bomb': 'package_too_large',
  'a bomb that claims to be small': 'package_damaged',
  'a cover that is a bomb': 'cover_too_large',
  'names that lead out': 'entry_outside',
  'two package documents of one name': 'entry_doubled',
  'a billion laughs': 'package_malformed',
  'an external entity': 'package_malformed',
  'a hundred thousand nested elements': 'package_too_large',
  'a package document that is encrypted': 'package_encrypted',
  'a package document with a wrong checksum': 'package_damaged',
  'a package document of broken deflate': 'package_damaged',
  'a package document in Latin-1 that says UTF-8': 'package_encoding',
  'a package document in no known encoding': 'package_encoding',
  'a package document at an odd place': 'package_missing',
  'a container that names itself': 'package_wrong',
  'no container': 'container_missing',
  'half a book': 'not_a_book',
  nothing: 'not_a_book',
  'sixty thousand entries': 'not_a_book',
  'a PDF of noise': 'pdf_damaged',
  'a PDF whose metadata is a bomb': 'pdf_unexamined',
  'a PDF whose cross reference is a bomb': 'pdf_unexamined',
}

const codesOf = ({ book, failure }: ChildReading): string[] =>
  failure === undefined ? (book?.problems.map(({ code }) => code) ?? []) : [failure]

describe('a hostile book', () => {
  it.each(share(Object.entries({ ...hostileBooks, ...hostilePdfs }), 20))(
    '%s ends in a book or a clear failure, within the memory',
    (name, make) => {
      const reading = leastOf(reader, fileOf(make()), mostMemory)
      expect(reading.failure ?? 'not_a_book').toBe('not_a_book')
      if (outcomes[name] !== undefined) expect(codesOf(reading)).toContain(outcomes[name])
      expect(reading.peak ?? 0).toBeLessThan(mostMemory)
    },
  )

  it('has an outcome for existing books alone', () => {
    expect(Object.keys(outcomes).filter(name => !(name in hostileBooks || name in hostilePdfs))).toEqual([])
  })

  it('never shows what an entity points to', async () => {
    for (const name of ['an external entity', 'a billion laughs', 'a quadratic blow-up']) {
      const { publisher = '' } = await readBook(fileOf((hostileBooks[name] as () => Buffer)()))
      expect(publisher.length).toBeLessThanOrEqual(100_000)
      expect(publisher).not.toMatch(/root:|ha|aaa/)
    }
  })

  it('is read where an honest document stands in UTF-16', async () => {
    for (const name of ['a package document in UTF-16', 'a package document in UTF-16, unmarked']) {
      const { title, problems } = await readBook(fileOf((hostileBooks[name] as () => Buffer)()))
      expect({ title, problems }).toEqual({ title: 'A Title', problems: [] })
    }
  })
})

describe('a damaged book', () => {
  it('ends in a book or a clear failure wherever it is cut', async () => {
    const whole = makeBook()
    for (let length = 0; length < whole.length; length += isSlow ? 7 : 21) {
      await expect(readBook(fileOf(whole.subarray(0, length)))).rejects.toMatchObject({ code: 'not_a_book' })
    }
  })

  it('ends in a book or a clear failure whatever bytes are changed', async () => {
    const whole = makeBook()
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async changes => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        const path = fileOf(bytes)
        try {
          await readCover(path, await readBook(path))
        } catch (error) {
          expect(error).toBeInstanceOf(UsageFailure)
        }
      }),
      { numRuns: isSlow ? 1000 : 150 },
    )
  })
})

describe('what is no regular file', () => {
  const failing = async (path: string) => {
    const failure = await readBook(path).then(
      () => undefined,
      error => error as UsageFailure,
    )
    expect(failure).toBeInstanceOf(UsageFailure)
    expect(failure?.message).toContain(path)
    expect(failure?.hint).toMatch(/\.$/)
    return failure
  }

  it('is refused when it is missing', async () => {
    expect(await failing(join(temporaryFolder(), 'none.epub'))).toMatchObject({
      code: 'file_unreadable',
      exitCode: 2,
      message: expect.stringContaining('there is no such file'),
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'is refused when its name is not UTF-8, which is told',
    async () => {
      const folder = temporaryFolder()
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.of(0xff), Buffer.from('.epub')]), '')
      const [name = ''] = readdirSync(folder)
      expect(await failing(join(folder, name))).toMatchObject({
        code: 'file_unreadable',
        message: expect.stringContaining('seems not to be UTF-8'),
      })
    },
  )

  it('is refused when it is a folder', async () => {
    expect(await failing(temporaryFolder())).toMatchObject({ code: 'file_unreadable' })
  })

  it.skipIf(process.platform === 'win32')('is refused when it is a pipe that nobody writes to', async () => {
    const pipe = join(temporaryFolder(), 'pipe.epub')
    execFileSync('mkfifo', [pipe])
    expect(await failing(pipe)).toMatchObject({ code: 'file_unreadable' })
  })

  it.skipIf(process.platform === 'win32')('is refused when it is a socket', async () => {
    const path = join(temporaryFolder(), 's')
    const server = createServer()
    await new Promise<void>(resolve => server.listen(path, resolve))
    expect(await failing(path)).toMatchObject({ code: 'file_unreadable' })
    server.close()
  })

  it.skipIf(process.platform === 'win32')('is refused when it is a device without end', async () => {
    expect(await failing('/dev/zero')).toMatchObject({ code: 'file_unreadable' })
  })

  it('is refused when its links lead in a circle', async () => {
    const path = join(temporaryFolder(), 'circle.epub')
    symlinkSync(path, path)
    expect(await failing(path)).toMatchObject({ code: 'file_unreadable' })
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is refused when it may not be read',
    async () => {
      const path = fileOf(makeBook())
      chmodSync(path, 0)
      expect(await failing(path)).toMatchObject({ message: expect.stringContaining('you may not read it') })
    },
  )

  it('is refused when its name cannot be one', async () => {
    expect(await failing(`${temporaryFolder()}/${'x'.repeat(300)}`)).toMatchObject({
      code: 'file_unreadable',
    })
    expect(await failing(`${temporaryFolder()}/a\0b`)).toMatchObject({ code: 'file_unreadable' })
  })
})

describe('a file that is no book', () => {
  it.each([
    ['a web page', '<!DOCTYPE html><p>Not found'],
    ['an image', '\x89PNG\r\n\x1a\n'],
    ['a Kindle (MOBI) file', `${'x'.repeat(60)}BOOKMOBI`],
    ['a sound or video file', 'ID3\x03'],
    ['a text file', 'Once upon a time'],
  ])('is named as %s', async (what, content) => {
    await expect(readBook(fileOf(Buffer.from(content, 'latin1')))).rejects.toMatchObject({
      code: 'not_a_book',
      message: expect.stringContaining(what),
    })
  })

  it('is a book under any name when its content is one', async () => {
    expect((await readBook(fileOf(makeBook(), 'letter.docx'))).type).toBe('EPUB')
  })
})

describe('a book of more than four gigabytes', () => {
  it('is read without reading the whole of it', () => {
    const path = join(temporaryFolder(), 'large.epub')
    const file = openSync(path, 'w')
    sparseBook({
      write: (bytes, at) => writeSync(file, bytes, 0, bytes.length, at),
      resize: size => ftruncateSync(file, size),
    })
    closeSync(file)
    const { book, coverBytes, peak } = reader.read(path)
    expect(book).toMatchObject({
      title: 'A Large Book',
      problems: [{ severity: 'information', code: 'not_examined' }],
    })
    expect(coverBytes).toBeGreaterThan(0)
    expect(peak ?? 0).toBeLessThan(100)
  })
})
