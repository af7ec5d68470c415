import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { type Book, readBook } from '../books/index.ts'
import { exitCodes, Failure } from '../system/errors.ts'
import { openFile } from '../system/open-file.ts'
import { unreadable } from '../system/unreadable.ts'
import type { World } from '../system/world.ts'
import { writeChecked } from '../system/write-checked.ts'
import type { Audiobook } from './audiobook.ts'
import { audiobookManifest, contentsName, contentsPage } from './manifest.ts'

interface PackedOptions {
  /** Whether a file that is there may be replaced. */
  readonly mayReplace: boolean
  /** Told of each file that is begun. */
  readonly onFile: (file: string, done: number, all: number) => void
}

/**
 * Writes an audiobook as a package, and reads it as `inspect` does: one with errors is not left behind. Returns what was read
 * of it. Sound is stored as it is, since it is compressed already.
 */
export async function writeAudiobook(
  path: string,
  book: Audiobook,
  { mayRead, signal }: Pick<World, 'mayRead' | 'signal'>,
  { mayReplace, onFile }: PackedOptions,
): Promise<Book> {
  const zip = new ZipFile()
  const outputStream = zip.outputStream as Readable
  const fail = (error: unknown) => void outputStream.destroy(error as Error)
  const options = { compress: false, mtime: madeOn }
  zip.addBuffer(
    Buffer.from(`${JSON.stringify(audiobookManifest(book), undefined, 2)}\n`),
    'publication.json',
    options,
  )
  zip.addBuffer(Buffer.from(contentsPage(book)), contentsName, options)
  if (book.cover) zip.addBuffer(book.cover.bytes, book.cover.name, options)
  for (const [done, { file, name }] of book.tracks.entries()) {
    zip.addReadStreamLazy(name, options, use => {
      onFile(file, done, book.tracks.length)
      const content = Readable.from(contentOf(file, mayRead, signal))
      content.on('error', fail)
      use(undefined, content)
    })
  }
  zip.on('error', fail)
  zip.end()
  let packed: Book | undefined
  await writeChecked(path, outputStream, {
    mayReplace,
    check: async draft => {
      packed = await readBook(draft, mayRead)
      mustBeSound(path, packed)
    },
  })
  return packed as Book
}

/** The same files make the same package. */
const madeOn = new Date(2000, 0, 1)

const chunkSize = 256 * 1024

async function* contentOf(
  path: string,
  mayRead: World['mayRead'],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const file = await openFile(path, mayRead)
  try {
    for (let at = 0; at < file.bytes; ) {
      // Reads of a quick disk never wait, and Ctrl-C is heard between turns only.
      await turn()
      signal.throwIfAborted()
      const chunk = Buffer.alloc(Math.min(chunkSize, file.bytes - at))
      const count = await file.read(chunk, at)
      if (count === 0) break
      yield chunk.subarray(0, count)
      at += count
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === 'read' ? unreadable(path, error) : error
  } finally {
    await file.close()
  }
}

function mustBeSound(path: string, { problems }: Book): void {
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  throw new Failure(`${path} is not written, since the book would have errors`, {
    code: 'book_unfit',
    exitCode: exitCodes.usage,
    hint: 'Correct or export the sound files again.',
    details: errors.map(({ code, message, place }) => ({
      code,
      message: place === undefined ? message : `${place}: ${message}`,
    })),
  })
}
