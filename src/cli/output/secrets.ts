import { replaceTokens } from '../../system/json-tokens.ts'
import { neutraliseJson } from './neutralise.ts'

interface KnownSecrets {
  readonly keys: Set<string>
  /** The forms of the keys, the longest first. */
  readonly formsOfKeys: string[]
  /** The queries of presigned URLs, the oldest first, each with its forms once they were needed. Only those in use matter. */
  readonly presignedQueries: Map<string, readonly string[] | undefined>
  /** The length of the shortest query that there was. */
  shortestQuery: number
  /** The forms of all of them that were needed, the longest first. */
  readonly forms: string[]
}

/** By whom they must not be shown: the world of a command, or a client of the library. */
const secretsOf = new WeakMap<object, KnownSecrets>()

/** A shorter text is no secret, and hiding it would damage ordinary words. */
const minLength = 8

/** More presigned URLs are never in use at a time. Each one is searched for in every text that is long enough. */
const maxPresignedQueries = 256

/** Adds a key, or a password of a proxy, to the secrets that are never shown. */
export function rememberKey(owner: object, key: string): void {
  const known = knownTo(owner)
  if (key.length < minLength || known.keys.has(key)) return
  known.keys.add(key)
  for (const form of formsOf(key)) {
    insert(known.formsOfKeys, form)
    insert(known.forms, form)
  }
}

/** Adds the query of a presigned URL to the secrets that are never shown. */
export function rememberPresignedQuery(owner: object, query: string): void {
  const known = knownTo(owner)
  const { presignedQueries, forms } = known
  if (query.length < minLength || presignedQueries.has(query)) return
  presignedQueries.set(query, undefined)
  known.shortestQuery = Math.min(known.shortestQuery, query.length)
  const [oldest] = presignedQueries
  if (presignedQueries.size > maxPresignedQueries && oldest !== undefined) {
    const [old, formsOfOld = []] = oldest
    presignedQueries.delete(old)
    for (const form of formsOfOld) forms.splice(forms.indexOf(form), 1)
  }
}

function knownTo(owner: object): KnownSecrets {
  const known: KnownSecrets = secretsOf.get(owner) ?? {
    keys: new Set(),
    formsOfKeys: [],
    presignedQueries: new Map(),
    shortestQuery: Number.POSITIVE_INFINITY,
    forms: [],
  }
  secretsOf.set(owner, known)
  return known
}

/**
 * The forms to look for in a text. Most texts are shorter than any query of a presigned URL, of which there are hundreds, and so than
 * its forms: these are made for the first text that is longer.
 */
function formsIn(known: KnownSecrets, { length }: string): readonly string[] {
  const { presignedQueries, forms } = known
  if (length < known.shortestQuery) return known.formsOfKeys
  for (const [query, made] of presignedQueries) {
    if (made) continue
    const added = formsOf(query)
    presignedQueries.set(query, added)
    for (const form of added) insert(forms, form)
  }
  return forms
}

/** Puts a form among others, the longest first: to sort them anew with each upload would take longer. */
function insert(forms: string[], form: string): void {
  const place = forms.findIndex(({ length }) => length < form.length)
  forms.splice(place === -1 ? forms.length : place, 0, form)
}

/** The forms of a secret in text: as it is, in JSON, in a URL, in tab-separated lines and in CSV. */
const formsOf = (secret: string): readonly string[] => [
  ...new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll('\\', '\\\\'),
    secret.replaceAll('"', '""'),
  ]),
]

/** Hides the keys and presigned queries that are known by their value. */
export const hideKnownSecrets = (owner: object) => (text: string) => {
  const known = secretsOf.get(owner)
  let rest = text
  for (const secret of known ? formsIn(known, text) : []) {
    if (secret.length <= rest.length) rest = rest.replaceAll(secret, replacement)
  }
  return rest
}

const replacement = '[redacted]'

/**
 * Recognise secrets that are not known by their value, from the text before them. The first group of each match is kept.
 * No pattern looks behind or repeats something that may be empty, so each takes time in proportion to the text.
 */
const patterns: readonly RegExp[] = [
  /(\bauthorization\\?["']?(?:\s|\\[nrt]){0,40}[:=](?:\s|\\[nrt]){0,40}\\?["']?(?:(?:bearer|basic)\s{1,40})?)(?!bearer\s|basic\s)[^\s"',\\]{8,}/gi,
  /(\bkeyHash\\?["']?\s{0,40}[:=]\s{0,40}\\?["']?)[^\s"',}\\]+/gi,
  /(\?)(?=[^\s"'<>\\?]*\bX-Amz-)[^\s"'<>\\]+/gi,
  /(\bX-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"'<>\\]+/gi,
]

/** One of these words is in whatever a pattern finds. Most texts have none. */
const words = /authorization|keyHash|X-Amz-/i

/** Hides known secrets, and others that a pattern recognises. */
export const hideSecrets = (owner: object) => {
  const hideKnown = hideKnownSecrets(owner)
  return (text: string) => {
    const rest = hideKnown(text)
    if (!words.test(rest)) return rest
    return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${replacement}`), rest)
  }
}

/** Hides secrets in serialised JSON and keeps it valid: a number that contains a secret becomes a string. */
export function hideInJson(json: string, hide: (text: string) => string): string {
  if (hide(json) === json) return json
  return replaceTokens(json, token => {
    const text = token.startsWith('"') ? String(JSON.parse(token)) : token
    const shown = hide(text)
    return shown === text ? token : neutraliseJson(JSON.stringify(shown))
  })
}

/** A copy of a value with the secrets hidden in every string in it, except in the names of fields. */
export function hideInside<T>(value: T, hide: (text: string) => string): T {
  if (typeof value === 'string') return hide(value) as T
  if (Array.isArray(value)) return value.map(each => hideInside(each, hide)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideInside(each, hide)])) as T
}
