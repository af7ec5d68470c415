import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, readdir, rm, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { openNewFile } from '../../system/new-file.ts'
import { refuseAtOnce } from './answer.ts'
import { type S3Error, s3Errors } from './errors.ts'

/**
 * Streams a request's body into a new file, in constant memory; the folder is made when missing. When the client stops
 * sending before the end, or sends nothing for `idleMilliseconds`, it is answered here, while its connection is still
 * open. The promise rejects then, and when the client disconnects or the file cannot be written.
 */
export async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  idleMilliseconds: number,
): Promise<{ bytes: number; md5: Buffer }> {
  const { socket } = req
  const refuse = (error: S3Error): void => {
    // Node no longer reads a request that is answered, and the loop below would wait for its end for ever.
    res.once('close', () => req.destroy())
    refuseAtOnce(res, error)
  }
  const stalled = (): void => refuse(s3Errors.stalled())
  const ended = (): void => {
    if (!req.complete) refuse(s3Errors.incomplete())
  }
  req.setTimeout(idleMilliseconds).once('timeout', stalled)
  // Before Node's own listener, which destroys a connection that ends within a request, and before the first await,
  // since a short body may end at once.
  socket.prependOnceListener('end', ended)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await openNewFile(path)
    try {
      return await copy(req, file)
    } finally {
      await file.close()
    }
  } finally {
    socket.off('end', ended)
    req.off('timeout', stalled).setTimeout(0)
  }
}

async function copy(req: IncomingMessage, file: FileHandle): Promise<{ bytes: number; md5: Buffer }> {
  const hash = createHash('md5')
  let bytes = 0
  // Node's default, to destroy the request once the loop is left, would take the connection with it, and no
  // answer could be given when the disk is full.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    // The chunk is written while it is hashed.
    const written = file.appendFile(chunk)
    hash.update(chunk)
    bytes += chunk.length
    await written
  }
  return { bytes, md5: hash.digest() }
}

/** Milliseconds without a byte after which the process that received a file must have been killed. */
const abandonedAfter = 3_600_000

/** Removes the files of processes that were killed. Other processes may be receiving meanwhile. */
export async function removeAbandoned(tempDir: string): Promise<void> {
  for (const name of await readdir(tempDir).catch(() => [])) {
    if (!name.endsWith('.part')) continue
    const path = join(tempDir, name)
    const file = await stat(path).catch(() => undefined)
    // By the clock of the system, which set the file's time, and not by one that a test moves.
    if (file && Date.now() - file.mtimeMs > abandonedAfter) await rm(path, { force: true }).catch(() => {})
  }
}
