import { given } from '../../system/given.ts'
import { type AccessibilityMetadata, emptyAccessibilityMetadata, modesIn } from '../accessibility-facts.ts'
import { type Book, emptyBook, quotedText, type ReadOptions, type Severity } from '../book.ts'
import { coverAt } from '../cover.ts'
import type { ProblemCode } from '../hints.ts'
import { isElsewhere, resolveHref, withoutQuery } from '../href.ts'
import { compactIsbn, isIsbn } from '../isbn.ts'
import { languageFault } from '../language.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { Zip } from '../zip.ts'
import { checkTracks } from './check-tracks.ts'
import { findManifest } from './find-manifest.ts'
import {
  arrayOf,
  type LinkedResource,
  type Manifest,
  objectOf,
  readPublicationManifest,
  textsIn,
} from './manifest.ts'
import { readiumPath, readReadiumManifest } from './readium.ts'
import { readManifestRights } from './rights.ts'

/**
 * Reads a packaged audiobook by its publication manifest; undefined when the zip has none. What is wrong with it is added
 * to `problems`.
 */
export async function readLpf(
  zip: Zip,
  problems: Problems,
  { accessibility = false, rights = false }: ReadOptions = {},
): Promise<Book | undefined> {
  const book = emptyBook('Audio', 'application/lpf+zip')
  const found = await findManifest(zip, problems)
  if (found === undefined) return undefined
  const isOfReadium = found.base === readiumPath
  if (isOfReadium) {
    book.mediaType = 'application/audiobook+zip'
    const message = 'This is a package of Readium (manifest.json), and the service names LPF packages alone.'
    problems.push({ severity: 'error', code: 'not_lpf', message, place: found.base })
  }
  if (found.json !== undefined) {
    const manifest = isOfReadium ? readReadiumManifest(found.json) : readPublicationManifest(found.json)
    await fillIn(book, zip, found.base, manifest, problems)
    if (rights) book.rights = readManifestRights(found.json, book.creators, found.base)
    if (accessibility) book.accessibility = { metadata: readAccessibilityMetadata(found.json) }
  }
  if (zip.entries.has('license.lcpl') || zip.entries.has('META-INF/license.lcpl')) {
    book.drm = 'Readium LCP'
    problems.push({ severity: 'error', code: 'drm', message: 'The book is protected by Readium LCP.' })
  }
  return book
}

/** Fills in what a manifest says of the book. */
async function fillIn(
  book: Book,
  zip: Zip,
  base: string,
  manifest: Manifest,
  problems: Problems,
): Promise<void> {
  const { titles, creators, publisher, description, identifier } = manifest
  const add = problemsIn(problems, base)
  const warn = (code: ProblemCode, message: string) => add('warning', code, message)

  const title = titles[0]
  const language = manifest.languages[0]
  const authors = creators.filter(({ roles }) => roles.includes('aut')).map(({ name }) => name)
  const isbn = manifest.isbns.map(compactIsbn).find(isIsbn)
  if (!title) warn('title_missing', 'The book has no title in its metadata.')
  if (authors.length === 0) warn('author_missing', 'The book has no author in its metadata.')
  const fault = language === undefined ? undefined : languageFault(language)
  if (!language) warn('language_missing', 'The book has no language in its metadata.')
  if (fault) problems.push({ severity: 'warning', ...fault, place: base })
  if (manifest.isbns.length > 0 && !isbn) {
    warn('isbn_invalid', `The ISBN ${quotedText(manifest.isbns[0] ?? '')} is not valid.`)
  }
  Object.assign(book, {
    ...given({ title }),
    titles: titles.map(text => ({ text })),
    authors,
    creators,
    ...given({ language, isbn, publisher, description, identifier }),
  })
  checkFiles(zip, base, manifest, add)
  const times = await checkTracks(zip, base, manifest.readingOrder.filter(isAudio), add)
  fillInTracks(book, manifest, times, add)
  const cover = manifest.links.find(({ rel }) => rel.includes('cover'))
  const target = cover && resolveHref(base, cover.url)
  const path = target && zip.nameAt(target)
  if (cover && path !== undefined && zip.entries.has(path)) {
    const image = await coverAt(
      zip,
      path,
      cover.mediaType ?? '',
      undefined,
      (severity, code, message, place = base) => problemsIn(problems, place)(severity, code, message),
    )
    if (image) book.cover = image
  } else if (cover) warn('cover_missing', `The cover ${quotedText(cover.url)} is not in the zip.`)
}

const audioName = /\.(?:mp3|m4a|m4b|mp4|aac|ogg|oga|opus|wav|flac|webm)$/i

const isAudio = ({ url, mediaType }: LinkedResource): boolean =>
  mediaType === undefined ? audioName.test(withoutQuery(url)) : /^(?:audio|video)\//.test(mediaType)

type Add = (severity: Severity, code: ProblemCode, message: string) => void

/** `times` is how long each track really plays, where that is known. */
function fillInTracks(
  book: Book,
  { readingOrder, duration }: Manifest,
  times: readonly (number | undefined)[],
  add: Add,
): void {
  const tracks = readingOrder.filter(isAudio)
  const sum = sumOf(tracks.map(track => track.duration))
  const played = tracks.some(({ url }) => url.includes('#')) ? undefined : sumOf(times)
  book.trackCount = tracks.length
  const total = duration ?? sum ?? played
  if (total !== undefined) book.duration = total
  if (played !== undefined) book.playingTime = played
  book.navigation = readingOrder.map(({ name, url }, index) => ({
    title: name ?? url.replace(/^.*\//, ''),
    depth: 0,
    path: [index],
  }))
  if (tracks.length === 0) add('error', 'audio_missing', 'The reading order of the book has no audio.')
  else if (tracks.every(({ url }) => isElsewhere(url))) {
    add('warning', 'audio_remote', 'All tracks of the book lie elsewhere, and none of them in the file.')
  }
  const adds = (says: string) =>
    add(
      'warning',
      'duration_mismatch',
      `The duration of the book is ${duration} seconds, but its tracks ${says}.`,
    )
  if (duration === undefined) return
  if (sum !== undefined && Math.abs(duration - sum) > 1) adds(`add up to ${sum}`)
  // Each track may be rounded.
  else if (played !== undefined && Math.abs(duration - played) > 2 + tracks.length) adds(`play ${played}`)
}

/** The sum of all numbers, in thousandths; undefined without any, or where one is missing. */
function sumOf(all: readonly (number | undefined)[]): number | undefined {
  if (all.length === 0) return undefined
  const sum = all.reduce((left, one) => (left === undefined || one === undefined ? undefined : left + one), 0)
  return sum === undefined ? undefined : Math.round(sum * 1000) / 1000
}

function checkFiles(zip: Zip, base: string, { readingOrder, links }: Manifest, add: Add): void {
  const check = (all: readonly LinkedResource[], severity: 'error' | 'warning') => {
    for (const { url } of all) {
      const path = resolveHref(base, url)
      if (path === undefined || zip.entries.has(zip.nameAt(path))) continue
      add(severity, 'resource_missing', `${quotedText(url)} is listed but not in the zip.`)
    }
  }
  check(readingOrder, 'error')
  check(
    links.filter(({ rel }) => !rel.includes('cover')),
    'warning',
  )
}

/** The accessibility metadata of a publication manifest (https://www.w3.org/TR/pub-manifest/#accessibility). */
function readAccessibilityMetadata(json: unknown): AccessibilityMetadata {
  const manifest = objectOf(json)
  return {
    ...emptyAccessibilityMetadata(),
    accessMode: textsIn(manifest['accessMode']),
    accessModeSufficient: arrayOf(manifest['accessModeSufficient']).flatMap(set => {
      const modes = textsIn(
        typeof set === 'string' || Array.isArray(set) ? set : objectOf(set)['itemListElement'],
      ).flatMap(modesIn)
      return modes.length === 0 ? [] : [modes]
    }),
    accessibilityFeature: textsIn(manifest['accessibilityFeature']),
    accessibilityHazard: textsIn(manifest['accessibilityHazard']),
    accessibilitySummary: textsIn(manifest['accessibilitySummary']),
  }
}
