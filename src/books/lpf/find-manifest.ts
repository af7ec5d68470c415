import { decodeText } from '../decode.ts'
import { resolveHref } from '../href.ts'
import type { Problems } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { isReadium, readiumPath } from './readium.ts'

const manifestPath = 'publication.json'
const entryPagePath = 'index.html'

/** Far above a manifest of a thousand tracks. */
const limit = 1024 * 1024

type ManifestProblem = 'manifest_missing' | 'manifest_too_large' | 'manifest_damaged' | 'manifest_encrypted'

/**
 * The publication manifest of a zip: `publication.json`, else what the entry page `index.html` links to or holds, else the
 * manifest of Readium. The names in it are relative to `base`. Undefined when the zip has none; `json` is absent when it cannot be read.
 */
export async function findManifest(
  zip: Zip,
  problems: Problems,
): Promise<{ base: string; json?: unknown } | undefined> {
  if (zip.entries.has(manifestPath)) return await parsed(zip, manifestPath, undefined, problems)
  if (!zip.entries.has(entryPagePath)) return await findReadium(zip, problems)
  const page = await readText(zip, entryPagePath, problems)
  const href = page === undefined ? undefined : linkIn(page)
  if (page === undefined || href === undefined) return undefined
  if (href.startsWith('#'))
    return await parsed(zip, entryPagePath, scriptIn(page, href.slice(1)) ?? '', problems)
  const target = resolveHref(entryPagePath, href)
  const path = target && zip.nameAt(target)
  if (path !== undefined && zip.entries.has(path)) return await parsed(zip, path, undefined, problems)
  const message = 'The manifest that the entry page links to is not in the zip.'
  problems.push({ severity: 'error', code: 'manifest_missing', message, place: entryPagePath })
  return { base: entryPagePath }
}

async function findReadium(zip: Zip, problems: Problems): ReturnType<typeof findManifest> {
  if (!zip.entries.has(readiumPath)) return undefined
  const found = await parsed(zip, readiumPath, undefined, problems)
  // Other things than books have a file of that name.
  return found.json === undefined || isReadium(found.json) ? found : undefined
}

async function parsed(
  zip: Zip,
  base: string,
  embedded: string | undefined,
  problems: Problems,
): Promise<{ base: string; json?: unknown }> {
  const text = embedded ?? (await readText(zip, base, problems))
  if (text === undefined) return { base }
  try {
    return { base, json: JSON.parse(text) as unknown }
  } catch {
    const message = 'The publication manifest is not sound JSON.'
    problems.push({ severity: 'error', code: 'manifest_malformed', message, place: base })
    return { base }
  }
}

async function readText(zip: Zip, path: string, problems: Problems): Promise<string | undefined> {
  try {
    const { text, encodingError } = decodeText(await zip.read(path, limit))
    if (encodingError !== undefined) {
      problems.push({
        severity: 'error',
        code: 'manifest_encoding',
        message: `The manifest cannot be read: ${encodingError}.`,
        place: path,
      })
    }
    return text
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    const code = error.code.replace('entry', 'manifest') as ManifestProblem
    problems.push({ severity: 'error', code, message: `This file ${error.message}.`, place: path })
    return undefined
  }
}

/** Where the page's `<link rel="publication">` leads. */
function linkIn(page: string): string | undefined {
  for (const [tag] of page.matchAll(/<link\s[^<>]{1,2000}>/gi)) {
    if (attribute(tag, 'rel')?.toLowerCase().split(/\s+/).includes('publication'))
      return attribute(tag, 'href')
  }
  return undefined
}

/** What the page's script of an id holds. */
function scriptIn(page: string, id: string): string | undefined {
  for (const match of page.matchAll(/<script\s[^<>]{1,2000}>/gi)) {
    if (attribute(match[0], 'id') !== id) continue
    const start = match.index + match[0].length
    const end = page.indexOf('</script', start)
    return page.slice(start, end < 0 ? undefined : end)
  }
  return undefined
}

/** The attributes of an HTML tag: a name, and a value in quotation marks of either kind or in none. */
const attributes = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g

/** The value of the first attribute of a name in an HTML tag. Undefined where it has none. */
export function attribute(tag: string, wanted: string): string | undefined {
  for (const [, name = '', double, single, bare] of tag.matchAll(attributes))
    if (name.toLowerCase() === wanted) return double ?? single ?? bare
  return undefined
}
