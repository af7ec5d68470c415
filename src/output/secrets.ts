import type { World } from '../world.ts'
import { neutraliseJson } from './neutralise.ts'

interface Noted {
  /** Keys, for as long as the world lasts. */
  readonly keys: Set<string>
  /** The queries of presigned addresses, of which only those in use matter. */
  readonly addresses: Set<string>
  /** All that is looked for in a text, the longest first; made anew when something was noted. */
  forms: readonly string[] | undefined
}

const notedIn = new WeakMap<World, Noted>()

/** What is shorter is no secret, and hiding it would tear holes into ordinary words. */
const shortest = 8

/** As many addresses as can be in use at a time; each is looked for in every text. */
const mostAddresses = 256

/** Notes a key, which is not to be shown for as long as this world lasts. */
export const keepSecret = (world: World, key: string): void => note(world, 'keys', key)

/** Notes the query of a presigned address, which is not to be shown while it is in use. */
export const keepAddress = (world: World, query: string): void => note(world, 'addresses', query)

function note(world: World, kind: 'keys' | 'addresses', secret: string): void {
  if (secret.length < shortest) return
  const noted = notedIn.get(world) ?? { keys: new Set(), addresses: new Set(), forms: undefined }
  notedIn.set(world, noted)
  if (noted[kind].has(secret)) return
  noted[kind].add(secret)
  const [oldest] = noted.addresses
  if (noted.addresses.size > mostAddresses && oldest !== undefined) noted.addresses.delete(oldest)
  noted.forms = undefined
}

/** A secret as it may stand in text: as it is, in JSON, in a URL, in tab-separated lines and in CSV. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  secret.replaceAll('\\', '\\\\'),
  secret.replaceAll('"', '""'),
]

/** Takes the keys and addresses that were noted out of a text. */
export const noted = (world: World) => (text: string) => {
  const known = notedIn.get(world)
  if (known === undefined) return text
  known.forms ??= [...new Set([...known.keys, ...known.addresses].flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  )
  return known.forms.reduce((rest, secret) => rest.replaceAll(secret, replacement), text)
}

const replacement = '[redacted]'

/**
 * Secrets by the look of what stands before them, for those that nobody has noted: what is kept of each match is in its
 * first group. None looks behind or repeats what may be empty, so that each takes time in proportion to the text.
 */
const patterns: readonly RegExp[] = [
  /(\bauthorization\\?["']?(?:\s|\\[nrt]){0,40}[:=](?:\s|\\[nrt]){0,40}\\?["']?(?:(?:bearer|basic)\s{1,40})?)(?!bearer\s|basic\s)[^\s"',\\]{8,}/gi,
  /(\bkeyHash\\?["']?\s{0,40}[:=]\s{0,40}\\?["']?)[^\s"',}\\]+/gi,
  /(\?)(?=[^\s"'<>\\?]*\bX-Amz-)[^\s"'<>\\]+/gi,
  /(\bX-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"'<>\\]+/gi,
]

/** Takes the secrets of a world out of a text: those that were noted by their value, others by their pattern. */
export const hiderFor = (world: World) => (text: string) =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${replacement}`), noted(world)(text))

/** Takes secrets out of serialised JSON, which stays JSON: within its texts, and a number that is one becomes a text. */
export function hideInJson(json: string, hide: (text: string) => string): string {
  if (hide(json) === json) return json
  return json.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*/g, token => {
    const text = token.startsWith('"') ? String(JSON.parse(token)) : token
    const shown = hide(text)
    return shown === text ? token : neutraliseJson(JSON.stringify(shown))
  })
}

/** The same value with the secrets taken out of every text in it, names of fields aside. */
export function hideInside<T>(value: T, hide: (text: string) => string): T {
  if (typeof value === 'string') return hide(value) as T
  if (Array.isArray(value)) return value.map(each => hideInside(each, hide)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideInside(each, hide)])) as T
}
