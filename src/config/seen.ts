import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../system/make-folder.ts'
import { checkOwnership } from '../system/ownership.ts'
import { writeFile } from '../system/write-file.ts'
import type { Settings } from './settings.ts'

/** Something of the service that a command came across: enough to offer it when the person presses Tab. */
export interface Seen {
  readonly id: string
  /** What a person knows it by, where it has a title, a name or the like. */
  readonly title: string
  /** What it belongs to: an edition's publication. */
  readonly of?: string
  /** When it was seen last, in milliseconds since 1970. */
  readonly at: number
}

/** What tells one service, as one profile sees it, from another; the key is no part of it. */
export const serviceName = (settings: Settings, dataDir: string): string =>
  settings.isSandbox ? sandboxService(dataDir) : `${settings.profileName ?? ''}\n${settings.baseUrl}`

/** The same of the embedded service, whatever the settings are. */
export const sandboxService = (dataDir: string): string => `sandbox\n${dataDir}`

/** What was seen of one service, by kind: `publications`, `domains`, … */
type Sightings = Record<string, Seen[]>

/** What stands in a file. */
interface Stored {
  readonly service: string
  readonly seen: Sightings
}

/** How long something is offered after it was seen last, in milliseconds. */
const day = 24 * 3_600_000
/** How much is remembered of each kind: more is no help at a prompt. */
const most = 500

/**
 * Remembers for a day what commands came across, in a small file for each service. It holds ids and names, no key; it
 * may be removed at any time. Whatever else goes wrong with it is no concern of the command.
 *
 * Almost every command has this file to read and to write, so it is done in the plainest way: to load Node's hashes and
 * promises of files alone would take a fifth of such a command's time.
 *
 * Throws `unsafe_permissions` when others may have written what it would offer.
 */
export function openSeen(folder: string, service: string, now: () => number) {
  // The name is for people; whose file it is stands inside.
  const path = join(folder, `seen-${service.replace(/[^\w.]+/g, '-').slice(-80)}.json`)
  checkOwnership(folder)
  checkOwnership(path)
  const fresh = new Map<string, Map<string, Seen | undefined>>()
  const keep = (kind: string, id: string, seen: Seen | undefined): void => {
    const known = fresh.get(kind) ?? new Map<string, Seen | undefined>()
    fresh.set(kind, known)
    // A listing of any length keeps memory flat.
    if (known.size < most || seen === undefined) known.set(id, seen)
  }
  return {
    /** Notes what stands in an answer of the service to a request of this path; a path with ids has them as `{id}`. */
    note(path: string, input: Record<string, unknown>, reply: unknown): void {
      const kind = kindOf(path)
      if (kind !== undefined && (fresh.get(kind)?.size ?? 0) >= most) return
      for (const item of itemsIn(reply)) {
        const seen = see(item, now(), kind === 'editions' ? input['id'] : undefined)
        if (!seen) continue
        if (kind !== undefined) keep(kind, seen.id, seen)
        if (kind !== 'publications') continue
        for (const edition of listed(item['editions'])) {
          const inner = see(edition, now(), seen.id)
          if (inner) keep('editions', inner.id, inner)
        }
      }
    },
    /** Notes that something is gone. */
    forget(path: string, input: Record<string, unknown>): void {
      const kind = kindOf(path)
      if (kind !== undefined && typeof input['id'] === 'string') keep(kind, input['id'], undefined)
    },
    /** Forgets everything, since the service has begun anew. */
    forgetAll(): void {
      try {
        rmSync(path, { force: true })
      } catch {
        // It is forgotten within a day, then.
      }
    },
    /** What was seen of a kind within the last day, the latest first. */
    recent(kind: string): Seen[] {
      return read(path, service, now())[kind] ?? []
    },
    /** Writes down what was noted; `hide` takes the secrets out of the JSON that is written. */
    save(hide: (json: string) => string = json => json): void {
      if (fresh.size === 0) return
      const all = read(path, service, now())
      for (const [kind, known] of fresh) {
        const later = [...known.values()].filter(seen => seen !== undefined)
        const earlier = (all[kind] ?? []).filter(({ id }) => !known.has(id))
        all[kind] = [...later, ...earlier].slice(0, most)
      }
      try {
        makeFolder(folder)
        // Other processes may write at the same time; each writes a whole file, and the last one stays.
        writeFile(path, hide(JSON.stringify({ service, seen: all } satisfies Stored)), { isPrivate: true })
        sweep(folder, now())
      } catch {
        // It is not remembered, then.
      }
    },
  }
}

const kinds = new Set([
  'publications',
  'editions',
  'assets',
  'metadata-keys',
  'domains',
  'reader-instances',
  'reader-users',
  'apikeys',
])

/** `/v1/resources/assets/{id}` → `assets`; nothing for what has no ids that a command takes. */
function kindOf(path: string): string | undefined {
  const last = path
    .split('/')
    .filter(part => part !== '' && !part.startsWith('{'))
    .at(-1)
  return last !== undefined && kinds.has(last) && !path.includes('/analytics/') ? last : undefined
}

type Loose = Record<string, unknown>
const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listed = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isLoose) : [])
const itemsIn = (reply: unknown): Loose[] =>
  isLoose(reply) ? [...listed(reply['items']), ...listed([reply['item']])] : []

function see(item: Loose, at: number, of: unknown): Seen | undefined {
  const id = item['id'] ?? item['publicationId']
  if (typeof id !== 'string') return undefined
  const newest = listed(item['editions']).at(-1)
  const titles = ['title', 'name', 'domain', 'key', 'filename', 'userId'].map(name => item[name])
  const title = [...titles, newest?.['title']].find(text => typeof text === 'string' && text !== '')
  return { id, title: String(title ?? ''), at, ...(typeof of === 'string' ? { of } : {}) }
}

function read(path: string, service: string, now: number): Sightings {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isSeen = (value: Loose) =>
      typeof value['id'] === 'string' &&
      typeof value['title'] === 'string' &&
      typeof value['at'] === 'number' &&
      Math.abs(now - value['at']) < day
    const found: Sightings = {}
    if (!isLoose(stored) || stored['service'] !== service || !isLoose(stored['seen'])) return found
    for (const kind of kinds) found[kind] = listed(stored['seen'][kind]).filter(isSeen) as unknown as Seen[]
    return found
  } catch {
    // There is none yet, or it was damaged: it is made anew from what comes by.
    return {}
  }
}

/** Removes what was remembered of services that nobody has used for a day. */
function sweep(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^(seen-|\.pubctl-)/.test(name)) continue
    const path = join(folder, name)
    if (now - statSync(path).mtimeMs > day) rmSync(path, { force: true })
  }
}
