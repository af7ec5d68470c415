import { randomUUID } from 'node:crypto'
import { type OpenService, openService } from '../../src/sandbox/index.ts'
import { findObject } from '../../src/sandbox/store/objects.ts'
import { editionsOf } from '../../src/sandbox/store/publications.ts'
import { uploadOfEdition } from '../../src/sandbox/store/upload-requests.ts'
import type { Clock } from '../../src/system/world.ts'
import type { Mood } from './moods.ts'

/** Where the service is; nothing listens there. */
export const origin = 'http://127.0.0.1:4010'

export interface SimulatedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the service has of an edition: the MD5 of its file and of its cover, null if they have not arrived. */
interface HeldEdition {
  readonly id: string
  readonly status: string
  readonly isCurrent: boolean
  readonly file: string | null
  readonly cover: string | null
}

export interface HeldPublication {
  readonly id: string
  readonly title: string | null | undefined
  readonly editions: readonly HeldEdition[]
}

/** An asset, with the MD5 of its file, null if it has not arrived. */
interface HeldAsset {
  readonly id: string
  readonly filename: string
  readonly file: string | null
}

/** The sandbox's own handlers and store, without a socket. */
export interface SimulatedService {
  readonly key: string
  carryOut(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<SimulatedAnswer>
  /** What it has. */
  held(): HeldPublication[]
  assets(): HeldAsset[]
  close(): Promise<void>
}

/** Makes a sandbox in a folder. It is copied, since to fill one takes longer than a whole history. */
export async function makeService(dataDir: string): Promise<void> {
  const opened = await openService({ dataDir }, () => origin)
  await opened.close()
}

/** `dataDir` is where it keeps its data. */
export async function startSimulatedService(
  dataDir: string,
  clock: Clock,
  mood: Mood,
): Promise<SimulatedService> {
  const { variants, slow } = mood
  // No other process uses its store, so that it need not look for what one has left, and lock no file with each question.
  const options = { dataDir, clock, variants, processingDelayMs: slow?.scan ?? 400, lookAgainMs: 3_600_000 }
  const service = await openService(options, () => origin)
  service.db.get('PRAGMA locking_mode = EXCLUSIVE')
  const isTooMany = limitOf(mood)
  const made = new Set<string>()

  /** Answers as the sandbox does. */
  const answer = (request: Asked): SimulatedAnswer =>
    service.answer({ ...request, originError: undefined, refusal: undefined })

  /** Answers a request that names an upload request, in the mood of the service. */
  function answerUpload(request: Asked, id: string): SimulatedAnswer {
    const isRepeated = made.has(id)
    const isCreation = request.url !== '/v1/publication-uploads'
    if (isRepeated && (mood.ids === 'refused' || (mood.repeat === 409 && isCreation))) return refused
    const another = isRepeated && mood.ids === 'ignored'
    const body = another ? Buffer.from(`${request.body}`.replaceAll(id, randomUUID())) : request.body
    const given = answer({ ...request, body })
    if (given.status !== 201) return given
    made.add(id)
    return isRepeated && mood.repeat === 200 && isCreation ? { ...given, status: 200 } : given
  }

  return {
    key: service.keys.find(({ name }) => name === 'full')?.key ?? '',
    async carryOut(method, url, headers, body) {
      const path = url.slice(origin.length)
      const lowerCase = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const sent = { host: new URL(origin).host, ...lowerCase }
      if (slow) await clock.sleep(slow.answer)
      if (path.startsWith('/uploads/'))
        return await service.target.answer({ method, url: path, headers: sent }, body ?? Buffer.alloc(0))
      if (isTooMany()) return tooMany(mood)
      const request = { method, url: path, authorization: lowerCase['authorization'], body }
      const id = method === 'POST' ? /"uploadRequestId":"([^"]+)"/.exec(`${body}`)?.[1] : undefined
      return id === undefined ? answer(request) : answerUpload(request, id)
    },
    held: () => heldBy(service),
    assets: () => assetsOf(service),
    close: async () => await service.close(),
  }
}

interface Asked {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly body: Buffer | undefined
}

const errorAnswer = (status: number, headers: Record<string, string> = {}): SimulatedAnswer => ({
  status,
  headers,
  body: JSON.stringify({ error: 'INVALID_REQUEST', message: 'no', context: { requestId: 'simulated' } }),
})

const refused = errorAnswer(409)

const tooMany = ({ limited }: Mood): SimulatedAnswer =>
  errorAnswer(429, limited?.retryAfter === undefined ? {} : { 'retry-after': limited.retryAfter })

/** Tells of each request whether it is one too many. */
function limitOf({ limited }: Mood): () => boolean {
  let asked = 0
  return () => limited !== undefined && ++asked % limited.oneOf === 0
}

const md5Of = ({ db }: OpenService, key: unknown): string | null =>
  typeof key === 'string' ? (findObject(db, key)?.md5 ?? null) : null

function heldBy(service: OpenService): HeldPublication[] {
  const { db } = service
  return db.all<{ id: string }>('SELECT id FROM publications ORDER BY seq').map(({ id }) => {
    const editions = editionsOf(db, id)
    return {
      id,
      title: editions.at(-1)?.title,
      editions: editions.map(edition => ({
        id: edition.id,
        status: edition.uploadStatus,
        isCurrent: edition.isCurrentVersion,
        file: md5Of(service, uploadOfEdition(db, edition.id)?.object_key),
        cover: md5Of(service, edition.metadata['cover']),
      })),
    }
  })
}

const assetsOf = (service: OpenService): HeldAsset[] =>
  service.db
    .all<{ doc: string }>('SELECT doc FROM assets ORDER BY seq')
    .map(({ doc }) => JSON.parse(doc) as { id: string; filename: string; key: string })
    .map(({ id, filename, key }) => ({ id, filename, file: md5Of(service, key) }))
