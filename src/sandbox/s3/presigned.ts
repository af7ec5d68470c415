import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { promises as fs } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { readdir, stat } from '../../system/files.ts'
import { openNewFile } from '../../system/new-file.ts'
import type { Clock } from '../../system/world.ts'
import { writeNewFile } from '../../system/write-file.ts'
import { type Handling, noFault } from '../http/inject-fault.ts'
import { originErrorOf } from '../http/origin-check.ts'
import type { Send } from '../http/send.ts'
import type { Presigner, StoredObject } from '../store/objects.ts'
import { answerOf, refuse, refuseAtOnce, requestIds, type S3Answer } from './answer.ts'
import { largestPut, type S3Error, s3Errors } from './errors.ts'
import { checkSignature, signedPath } from './signature.ts'

export interface PresignedTargetOptions {
  secret: Buffer
  /** Where the server can be reached, such as `http://127.0.0.1:4010`. */
  origin: () => string
  clock: Clock
  /** Where bodies are kept while they arrive; on the same file system as their later place. Made when missing. */
  tempDir: string
  /** Called once the whole body is on disk, before the 200 goes out; moves the file into place and records it durably. */
  store(object: StoredObject): Promise<void>
  /** How long a client may send nothing in the middle of its body. */
  idleMilliseconds?: number
}

export interface PresignedTarget extends Presigner {
  /**
   * Answers a request whose path starts with /uploads/, as S3 answers a presigned PUT. The server hands in requests
   * of its `checkContinue` event too, and must not have sent 100 Continue itself: that is done here once the
   * headers are accepted. Its `requestTimeout` must be off (0), since a large file may take long, and where it
   * listens to `clientError` it must write nothing: a file that ended early has been answered by then. `how` is for
   * injected faults.
   */
  handle(req: IncomingMessage, res: ServerResponse, how?: Handling): void
  /** Answers the same request without a connection, once its body is there. */
  answer(request: PresignedRequest, body: Uint8Array): Promise<S3Answer>
}

type PresignedRequest = Required<Pick<IncomingMessage, 'method' | 'url' | 'headers'>>

/** Takes objects by presigned URL, like S3; what they are is the concern of `store`. */
export function createPresignedTarget(options: PresignedTargetOptions): PresignedTarget {
  const { secret, origin, clock, tempDir, store, idleMilliseconds = 60_000 } = options
  void removeAbandoned(tempDir)

  /** Stores a body that has arrived; the headers of the answer. */
  async function keep(
    headers: IncomingHttpHeaders,
    { md5, ...body }: Pick<StoredObject, 'objectKey' | 'path' | 'bytes'> & { md5: Buffer },
  ): Promise<{ headers: Record<string, string> } | { error: S3Error }> {
    const digest = headers['content-md5']?.toString()
    if (digest !== undefined && digest !== md5.toString('base64')) {
      return { error: s3Errors.otherDigest(digest, md5.toString('base64')) }
    }
    const hex = md5.toString('hex')
    await store({ ...body, md5: hex, contentType: headers['content-type'] ?? '' })
    const encryption = { 'x-amz-server-side-encryption': 'AES256' }
    return { headers: { ...requestIds(), ...encryption, etag: `"${hex}"`, 'content-length': '0' } }
  }

  async function put(
    req: IncomingMessage,
    res: ServerResponse,
    objectKey: string,
    send: Send,
  ): Promise<void> {
    const path = join(tempDir, `${randomUUID()}.part`)
    try {
      if (waitsToBeAsked(req)) res.writeContinue()
      const { bytes, md5 } = await receive(req, res, path, idleMilliseconds)
      const kept = await keep(req.headers, { objectKey, path, bytes, md5 })
      if ('error' in kept) return refuse(req, res, kept.error)
      send(res, 200, kept.headers)
    } finally {
      await fs.rm(path, { force: true })
    }
  }

  return {
    presign({ objectKey, contentType, expiresIn }) {
      const requiredHeaders = {
        'Content-Type': contentType,
        'x-amz-server-side-encryption': 'AES256',
        // Different for each URL, so that a client has to send the headers that it is given.
        'x-amz-meta-upload': randomBytes(8).toString('hex'),
      }
      const grant = { objectKey, headers: requiredHeaders, issuedAt: clock.now(), expiresIn }
      return { uploadUrl: origin() + signedPath(secret, grant), expiresIn, requiredHeaders }
    },

    async answer(request, body) {
      const checked = check(secret, request, clock.now())
      if ('error' in checked) return answerOf(checked.error)
      const path = join(tempDir, `${randomUUID()}.part`)
      await fs.mkdir(tempDir, { recursive: true, mode: 0o700 })
      try {
        writeNewFile(path, body, { isPrivate: true })
        const md5 = createHash('md5').update(body).digest()
        const kept = await keep(request.headers, {
          objectKey: checked.objectKey,
          path,
          bytes: body.length,
          md5,
        })
        return 'error' in kept ? answerOf(kept.error) : { status: 200, headers: kept.headers, body: '' }
      } finally {
        await fs.rm(path, { force: true })
      }
    },

    handle(req, res, { send, refusal } = noFault) {
      res.on('error', () => {}) // The client may close the connection at any time.
      const checked =
        refusal === undefined ? check(secret, req, clock.now()) : { error: s3Errors.injected(refusal) }
      if ('error' in checked) {
        return waitsToBeAsked(req) ? refuseAtOnce(res, checked.error) : refuse(req, res, checked.error)
      }
      put(req, res, checked.objectKey, send).catch((error: NodeJS.ErrnoException) => {
        // It has been answered already, or the client has gone.
        if (res.headersSent || req.socket.destroyed) return
        refuse(req, res, isFull(error) ? s3Errors.diskFull() : s3Errors.internal())
      })
    },
  }
}

/** Checks what can be checked of a request before its body. */
function check(
  secret: Buffer,
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  now: number,
): { objectKey: string } | { error: S3Error } {
  const originError = originErrorOf(url, headers)
  if (originError !== undefined) return { error: s3Errors.foreignOrigin(originError) }
  if (method !== 'PUT') return { error: s3Errors.methodNotAllowed(method) }
  if (headers.authorization !== undefined) return { error: s3Errors.secondCredential() }
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined) return { error: s3Errors.chunked(encoding) }
  const signed = checkSignature(secret, url, headers, now)
  if ('error' in signed) return signed
  if (headers['content-length'] === undefined) return { error: s3Errors.noLength() }
  const length = Number(headers['content-length'])
  if (length > largestPut) return { error: s3Errors.tooLarge(length) }
  const digest = headers['content-md5']?.toString()
  if (digest !== undefined && !/^[A-Za-z0-9+/]{22}==$/.test(digest)) {
    return { error: s3Errors.malformedDigest(digest) }
  }
  return signed
}

const waitsToBeAsked = (req: IncomingMessage): boolean => /100-continue/i.test(req.headers.expect ?? '')
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/**
 * Streams a request's body into a new file, in constant memory; the folder is made when missing. When the client stops
 * sending before the end, or sends nothing for `idleMilliseconds`, it is answered here, while its connection is still
 * open. The promise rejects then, and when the client disconnects or the file cannot be written.
 */
async function receive(
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
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 })
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
async function removeAbandoned(tempDir: string): Promise<void> {
  for (const name of await readdir(tempDir).catch(() => [])) {
    if (!name.endsWith('.part')) continue
    const path = join(tempDir, name)
    const file = await stat(path).catch(() => undefined)
    // By the clock of the system, which set the file's time, and not by one that a test moves.
    if (file && Date.now() - file.mtimeMs > abandonedAfter) await fs.rm(path, { force: true }).catch(() => {})
  }
}
