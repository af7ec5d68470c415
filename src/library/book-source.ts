import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UsageFailure } from '../system/errors.ts'
import { makeTemporaryFolder } from '../system/make-folder.ts'
import { writeChunks } from '../system/new-file.ts'
import { unreadable } from '../system/unreadable.ts'
import { unfit } from './unfit.ts'

/** A book: the path of its file, its bytes, a Blob or File, or a stream whose length is known. */
export type BookSource = string | Uint8Array | Blob | BookStream

/** A stream of bytes whose length is known. */
export interface BookStream {
  readonly stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>
  /** How many bytes the stream has. With more or fewer, nothing is sent. */
  readonly bytes: number
}

/** A book as a file. */
interface OpenSource {
  readonly path: string
  /** Puts the name of the book in the place of the path of its copy. */
  readonly shown: (text: string) => string
  close(): void
}

/**
 * Gives a book as a file. One that is not a file is copied to a temporary folder of this user, because it is read several
 * times, in any order: its metadata is read first, and each attempt sends it anew. Closing deletes the copy.
 */
export async function openBookSource(
  source: BookSource,
  filename: string | undefined,
  signal: AbortSignal,
): Promise<OpenSource> {
  if (typeof source === 'string') {
    if (source === '' || filename !== undefined)
      throw source === '' ? unfit('file', fileText) : new UsageFailure('filename is for what is not a path')
    return { path: source, shown: text => text, close: () => undefined }
  }
  const name = filenameOf(source, filename)
  const { chunks, bytes } = read(source)
  const folder = makeTemporaryFolder('book')
  const path = join(folder, name)
  const shown = (text: string) => text.replaceAll(path, name)
  const close = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    await writeChunks(path, ofLength(chunks, bytes, name), signal)
    return { path, shown, close }
  } catch (error) {
    close()
    if (signal.aborted || error instanceof UsageFailure) throw error
    throw unreadable(name, error)
  }
}

const fileText = 'the path of a file, a Uint8Array, a Blob, or { stream, bytes }'

function read(source: Exclude<BookSource, string>): { chunks: AsyncIterable<Uint8Array>; bytes: number } {
  if (source instanceof Uint8Array) return { chunks: only(source), bytes: source.length }
  if (source instanceof Blob) return { chunks: source.stream(), bytes: source.size }
  const { stream, bytes } = Object(source) as Partial<BookStream>
  if (typeof Object(stream)[Symbol.asyncIterator] !== 'function') throw unfit('file', fileText)
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) throw unfit('bytes', 'the length of the stream')
  return { chunks: stream as AsyncIterable<Uint8Array>, bytes: Number(bytes) }
}

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

/** The same bytes. Throws UsageFailure `wrong_length` as soon as there are more than was said, or in the end for fewer. */
async function* ofLength(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
  name: string,
): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw unfit('stream', 'one of bytes')
    read += chunk.length
    if (read > bytes) throw wrongLength(name, `more than the ${bytes}`)
    yield chunk
  }
  if (read < bytes) throw wrongLength(name, `${read} of the ${bytes}`)
}

const wrongLength = (name: string, had: string) =>
  new UsageFailure(`the stream of ${name} had ${had} bytes that were said, so nothing was sent`, {
    code: 'wrong_length',
    hint: 'Give in bytes how many the stream has.',
  })

/** The name that the service is told. Its ending says the type, as that of a file does. */
function filenameOf(source: Exclude<BookSource, string>, filename: unknown): string {
  const name = filename ?? (source instanceof Blob && 'name' in source ? source.name : undefined)
  const isName = typeof name === 'string' && /^[^/\\\0]{1,200}$/.test(name) && basename(name) === name
  if (isName && !/^\.{1,2}$/.test(name)) return name
  throw unfit('filename', 'the name of the book as a file, such as book.epub')
}
