import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenService, openService } from '../../src/sandbox/index.ts'
import { findObject } from '../../src/sandbox/store/objects.ts'
import { editionsOf } from '../../src/sandbox/store/publications.ts'
import { uploadOfEdition } from '../../src/sandbox/store/upload-requests.ts'
import type { SandboxVariant } from '../../src/sandbox/variants.ts'
import type { Clock } from '../../src/system/world.ts'

/** Where the service is; nothing listens there. */
export const origin = 'http://127.0.0.1:4010'

/** What a service may do in one way or another. */
export interface Mood {
  readonly name: string
  readonly variants: readonly SandboxVariant[]
}

export const moods: readonly Mood[] = [
  { name: 'usual', variants: [] },
  { name: 'current at creation', variants: ['current-at-creation'] },
  { name: 'new object keys', variants: ['new-object-keys'] },
]

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
  close(): Promise<void>
}

/** A new sandbox is copied, since to fill one takes longer than a whole history. */
export async function templateIn(folder: string): Promise<string> {
  const dataDir = join(folder, 'sandbox')
  const opened = await openService({ dataDir }, () => origin)
  await opened.close()
  return dataDir
}

/** `folder` is where it keeps its data. */
export async function startSimulatedService(
  template: string,
  folder: string,
  clock: Clock,
  { variants }: Mood,
): Promise<SimulatedService> {
  const dataDir = mkdtempSync(join(folder, 'service-'))
  cpSync(template, dataDir, { recursive: true })
  const service = await openService({ dataDir, clock, variants, processingDelayMs: 400 }, () => origin)
  return {
    key: service.keys.find(({ name }) => name === 'full')?.key ?? '',
    async carryOut(method, url, headers, body) {
      const path = url.slice(origin.length)
      const lowerCase = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      const sent = { host: new URL(origin).host, ...lowerCase }
      if (path.startsWith('/uploads/'))
        return await service.target.answer({ method, url: path, headers: sent }, body ?? Buffer.alloc(0))
      const { authorization } = lowerCase
      return service.answer({
        method,
        url: path,
        authorization,
        originError: undefined,
        refusal: undefined,
        body,
      })
    },
    held: () => heldBy(service),
    async close() {
      await service.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function heldBy({ db }: OpenService): HeldPublication[] {
  const md5Of = (key: unknown): string | null =>
    typeof key === 'string' ? (findObject(db, key)?.md5 ?? null) : null
  return db.all<{ id: string }>('SELECT id FROM publications ORDER BY seq').map(({ id }) => {
    const editions = editionsOf(db, id)
    return {
      id,
      title: editions.at(-1)?.title,
      editions: editions.map(edition => ({
        id: edition.id,
        status: edition.uploadStatus,
        isCurrent: edition.isCurrentVersion,
        file: md5Of(uploadOfEdition(db, edition.id)?.object_key),
        cover: md5Of(edition.metadata['cover']),
      })),
    }
  })
}
