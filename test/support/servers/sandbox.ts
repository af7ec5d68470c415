import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch, type Headers } from 'undici'
import { onTestFinished } from 'vitest'
import { type ServiceOptions, startService } from '../../../src/sandbox/index.ts'
import { exampleEpub } from '../books/example-book.ts'
import { temporaryFolder } from '../machine/pubctl.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the service answers is what the tests are about.
type Json = any

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

/** A folder for a sandbox, gone after the test. */
export function dataFolder(): string {
  return join(temporaryFolder(), 'data')
}

/** Starts a sandbox that is closed after the test, with a client for it; its states are passed through quickly. */
export async function sandbox(options: Partial<ServiceOptions> = {}) {
  const running = await startService({ dataDir: dataFolder(), processingDelayMs: 1, ...options })
  let isOpen = true
  const close = async () => {
    if (isOpen) await running.close()
    isOpen = false
  }
  onTestFinished(close)
  return {
    ...running,
    ...clientOf(running.baseUrl, keyNamed(running.keys, 'full')),
    key: (name: string) => keyNamed(running.keys, name),
    close,
  }
}

const keyNamed = (keys: { name: string; key: string }[], wanted: string): string =>
  keys.find(({ name }) => name === wanted)?.key ?? ''

/** Speaks to the service as its document says, with bare fetch. */
export function clientOf(baseUrl: string, defaultKey: string) {
  // Its own connections: those of an earlier sandbox on the same port are dead.
  const dispatcher = new Agent()
  onTestFinished(() => dispatcher.destroy())

  async function call(
    method: string,
    path: string,
    body?: unknown,
    key: string | null = defaultKey,
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const answer = await fetch(baseUrl + path, {
      method,
      dispatcher,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
  }

  /** The body of an answer that must be a success. */
  async function ok(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await call(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${method} ${path} gave ${answer.status}: ${answer.body.message}`)
    return answer.body
  }

  async function put(
    session: { uploadUrl: string; requiredHeaders: Record<string, string> },
    bytes: Uint8Array | string,
  ): Promise<number> {
    const answer = await fetch(session.uploadUrl, {
      method: 'PUT',
      dispatcher,
      headers: session.requiredHeaders,
      body: bytes as string,
    })
    await answer.text()
    return answer.status
  }

  const create = (more: Json = {}): Promise<Json> => ok('POST', '/v1/publications', creation(more))

  /** Polls an edition until its state is terminal. */
  async function settled(publicationId: string, editionId?: string): Promise<Json> {
    for (;;) {
      const { item } = await ok('GET', `/v1/publications/${publicationId}`)
      const edition = editionId ? item.editions.find(({ id }: Json) => id === editionId) : item.editions[0]
      if (!['upload_pending', 'uploaded'].includes(edition.uploadStatus)) return { item, edition }
      await pause(5)
    }
  }

  /** Creates a publication, sends its file, and waits for its outcome. */
  async function publish(more: Json = {}, bytes?: Uint8Array | string): Promise<Json> {
    const { item, result } = await create(more)
    const status = await put(result, bytes ?? (await exampleEpub()))
    if (status !== 200) throw new Error(`the PUT gave ${status}`)
    return await settled(item.id)
  }

  return { call, ok, put, create, settled, publish }
}

export const creation = ({ edition, ...more }: Json = {}): Json => ({
  uploadRequestId: randomUUID(),
  publicationFilename: 'book.epub',
  edition: { type: 'EPUB', ...edition },
  ...more,
})

export const invalidRequest = { status: 400, error: 'INVALID_REQUEST' }
export const zodError = { status: 400, error: 'ZOD_ERROR' }
export const gone = { status: 404, error: 'EMPTY_RESPONSE' }

/** The status and code of an error, to be compared with those above. */
export async function refusalOf(
  { call }: Pick<ReturnType<typeof clientOf>, 'call'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const answer = await call(method, path, body)
  return { status: answer.status, error: answer.body.error }
}
