import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { isObject } from '../system/is-object.ts'
import { makeFolder } from '../system/make-folder.ts'
import { checkOwnership } from '../system/ownership.ts'
import { writeFile } from '../system/write-file.ts'

/** An item of the service that a command received: enough to offer it as a completion. */
export interface CachedItem {
  readonly id: string
  /** Its title, name or the like, or "". */
  readonly title: string
  /** The id of what it belongs to: an edition's publication. */
  readonly of?: string
  /** When it was received last, in milliseconds since 1970. */
  readonly at: number
}

/** Identifies a service as one profile sees it. The key is not part of it. */
export const cacheKey = (settings: Settings, dataDir: string): string =>
  settings.isSandbox ? sandboxCacheKey(dataDir) : `${settings.profileName ?? ''}\n${settings.baseUrl}`

/** Identifies the sandbox in a data directory. */
export const sandboxCacheKey = (dataDir: string): string => `sandbox\n${dataDir}`

type Naming = 'id' | 'publicationId' | 'title' | 'name' | 'domain' | 'key' | 'filename' | 'userId'
type Named = { readonly [name in Naming]?: string | null } & { readonly editions?: readonly Named[] | null }

/** An answer with resources, of which each kind has some of these fields. */
export interface Received {
  readonly item?: Named | null
  readonly items?: readonly Named[]
}

/** The items of one service by kind: `publications`, `domains`, … */
type CachedItems = Record<string, CachedItem[]>

interface CacheFile {
  readonly service: string
  readonly items: CachedItems
}

/** How long an item is offered after it was received last, in milliseconds. */
const lifetime = 24 * 3_600_000
/** How long the file is left as it is while commands receive the same items: to write it takes 0.6 ms of a request. */
const freshness = 3_600_000
/** The most items of a kind. More would not help at a prompt. */
const mostItems = 500

/**
 * Remembers the ids and titles that commands receive, for completion, in a small file for each service. It holds no
 * key, and may be deleted at any time. Failures to read or write it are ignored.
 *
 * Almost every command reads and writes this file, so it uses synchronous calls and no hash of the name: loading
 * `node:crypto` and `node:fs/promises` would take a fifth of such a command's time.
 *
 * Throws `unsafe_permissions` when another user may have written the file.
 */
export function openCompletionCache(folder: string, service: string, now: () => number) {
  // The name only helps people. The file itself says which service it is for.
  const path = join(folder, `items-${service.replace(/[^\w.]+/g, '-').slice(-80)}.json`)
  checkOwnership(folder)
  checkOwnership(path)
  /** What this command received, by kind and id; undefined for what was deleted. */
  const updates = new Map<string, Map<string, CachedItem | undefined>>()
  const update = (kind: string, id: string, item: CachedItem | undefined): void => {
    const items = updates.get(kind) ?? new Map<string, CachedItem | undefined>()
    updates.set(kind, items)
    // The limit keeps memory flat in a listing of any length.
    if (items.size < mostItems || item === undefined) items.set(id, item)
  }
  return {
    /** How many items of a kind it keeps. */
    mostItems,
    /** Adds the items in an answer to a request of this path, which has `{id}` in place of ids. */
    add(path: string, input: Record<string, unknown>, received: Received): void {
      const kind = kindOf(path)
      if (kind === undefined || (updates.get(kind)?.size ?? 0) >= mostItems) return
      // Only now, since a list is copied when it is asked for.
      const { item, items } = received
      // An answer may have what its endpoint does not declare, and then it was not checked.
      for (const record of isObject(item) ? [item] : namedIn(items)) {
        const item = itemFrom(record, now(), kind === 'editions' ? input['id'] : undefined)
        if (!item) continue
        update(kind, item.id, item)
        if (kind !== 'publications') continue
        for (const edition of namedIn(record.editions)) {
          const inner = itemFrom(edition, now(), item.id)
          if (inner) update('editions', inner.id, inner)
        }
      }
    },
    /** Removes an item that was deleted. */
    remove(path: string, input: Record<string, unknown>): void {
      const kind = kindOf(path)
      if (kind !== undefined && typeof input['id'] === 'string') update(kind, input['id'], undefined)
    },
    /** Removes all items, after the service was reset. */
    clear(): void {
      try {
        rmSync(path, { force: true })
      } catch {
        // The items expire within a day.
      }
    },
    /** The items of a kind that have not expired, the latest first. */
    recent(kind: string): CachedItem[] {
      return read(path, service, now())[kind] ?? []
    },
    /** Writes the file; `hide` takes the secrets out of its JSON. */
    save(hide: (json: string) => string = json => json): void {
      if (updates.size === 0) return
      const all = read(path, service, now())
      if ([...updates].every(([kind, items]) => isKept(items, all[kind] ?? [], now()))) return
      for (const [kind, items] of updates) {
        const later = [...items.values()].filter(item => item !== undefined)
        const earlier = (all[kind] ?? []).filter(({ id }) => !items.has(id))
        all[kind] = [...later, ...earlier].slice(0, mostItems)
      }
      try {
        makeFolder(folder)
        // Other processes may write at the same time. Each writes the whole file, and the last one wins.
        writeFile(path, hide(JSON.stringify({ service, items: all } satisfies CacheFile)), {
          isPrivate: true,
        })
        deleteExpired(folder, now())
      } catch {
        // Completion works without these items.
      }
    },
  }
}

/** Whether the file has just these items before all others, and has had them for no longer than an hour. */
const isKept = (
  items: ReadonlyMap<string, CachedItem | undefined>,
  kept: readonly CachedItem[],
  now: number,
): boolean =>
  [...items.values()].every((item, index) => {
    const known = kept[index]
    const isSame = known?.id === item?.id && known?.title === item?.title && known?.of === item?.of
    return known !== undefined && isSame && Math.abs(now - known.at) < freshness
  })

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

/** `/v1/resources/assets/{id}` → `assets`; undefined where no command takes the ids. */
function kindOf(path: string): string | undefined {
  const last = path
    .split('/')
    .filter(part => part !== '' && !part.startsWith('{'))
    .at(-1)
  return last !== undefined && kinds.has(last) && !path.includes('/analytics/') ? last : undefined
}

type JsonObject = Record<string, unknown>
const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const namedIn = (value: unknown): Named[] => objectsIn(value) as Named[]

function itemFrom(record: Received['item'] & object, at: number, of: unknown): CachedItem | undefined {
  const id = record.id ?? record.publicationId ?? null
  if (id === null) return undefined
  const { title, name, domain, key, filename, userId, editions } = record
  const shown = title ?? name ?? domain ?? key ?? filename ?? userId ?? namedIn(editions).at(-1)?.title ?? ''
  return { id, title: shown, at, ...(typeof of === 'string' ? { of } : {}) }
}

function read(path: string, service: string, now: number): CachedItems {
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isCurrent = (value: JsonObject) =>
      typeof value['id'] === 'string' &&
      typeof value['title'] === 'string' &&
      typeof value['at'] === 'number' &&
      Math.abs(now - value['at']) < lifetime
    const found: CachedItems = {}
    if (!isObject(file) || file['service'] !== service || !isObject(file['items'])) return found
    for (const kind of kinds)
      found[kind] = objectsIn(file['items'][kind]).filter(isCurrent) as unknown as CachedItem[]
    return found
  } catch {
    // There is no file yet, or it is damaged and will be replaced.
    return {}
  }
}

/** Deletes the files of services that nobody has used for a day. */
function deleteExpired(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('items-')) continue
    const path = join(folder, name)
    if (now - statSync(path).mtimeMs > lifetime) rmSync(path, { force: true })
  }
}
