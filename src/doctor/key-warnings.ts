import type { Resource } from '../service/client/read.ts'
import type { ApiKey } from '../service/contract/apikeys.ts'
import { dayOf } from '../system/calendar.ts'
import type { Warning } from '../system/warning.ts'

const day = 24 * 3_600_000

/** A key that ends so soon is warned of, in milliseconds. */
const soon = 30 * day
/** A key that was not used for so long is warned of, in milliseconds. */
const long = 90 * day

/** How many keys a warning names. */
const mostNamed = 5

type Key = Resource<typeof ApiKey>

/** When a key ends by itself; undefined if that is not said, or never. */
export function endOfKey({ expires, revoked }: Key): number | undefined {
  const ends = [expires, revoked].flatMap(text => timeOf(text) ?? [])
  return ends.length === 0 ? undefined : Math.min(...ends)
}

export const endsSoon = (end: number, now: number): boolean => end - now <= soon

/**
 * Warns of the keys that could still be used, as the service lists them, and that have expired or will soon, or that nobody
 * uses. A key that was revoked or switched off needs nothing more.
 */
export function warningsOfKeys(keys: readonly Key[], now: number): Warning[] {
  const open = keys.filter(
    ({ status, revoked }) => status === 'active' && (timeOf(revoked) ?? Number.POSITIVE_INFINITY) > now,
  )
  const hasEnded = (key: Key) => (endOfKey(key) ?? Number.POSITIVE_INFINITY) <= now
  const ended = open.filter(hasEnded)
  const left = open.filter(key => !hasEnded(key))
  const ending = left.filter(key => endsSoon(endOfKey(key) ?? Number.POSITIVE_INFINITY, now))
  const unused = left.filter(key => now - (lastUse(key) ?? now) >= long)
  return [
    ...warning(
      'key_expired',
      ended,
      'expired',
      key => `on ${dayOf(endOfKey(key) ?? 0)}`,
      'Delete what nobody needs: pubctl apikeys delete <id>',
    ),
    ...warning(
      'key_expires',
      ending,
      'at most 30 days left',
      key => `until ${dayOf(endOfKey(key) ?? 0)}`,
      'Give what uses it a new key before that day.',
    ),
    ...warning(
      'key_unused',
      unused,
      'not been used for 90 days',
      lastUseText,
      'Switch off what nobody needs: pubctl apikeys update <id> --status inactive',
    ),
  ]
}

function warning(
  code: string,
  keys: readonly Key[],
  how: string,
  more: (key: Key) => string,
  hint: string,
): Warning[] {
  if (keys.length === 0) return []
  const named = keys.slice(0, mostNamed).map(key => `${key.name ?? '?'} (${key.id ?? '?'}, ${more(key)})`)
  const further = keys.length > mostNamed ? [`${keys.length - mostNamed} more`] : []
  const count = keys.length === 1 ? 'an API key has' : `${keys.length} API keys have`
  return [{ code, message: `${count} ${how}: ${[...named, ...further].join(', ')}`, hint }]
}

/** When a key was last used, or was made if it never was; undefined if the service does not say. */
const lastUse = ({ lastUsed, created }: Key): number | undefined =>
  timeOf(lastUsed === null ? created : lastUsed)

const lastUseText = (key: Key): string =>
  key.lastUsed === null ? 'never' : `last on ${dayOf(lastUse(key) ?? 0)}`

function timeOf(text: string | null): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
