import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'
import type { Mark, Marks, PageMark } from '../marks.ts'
import { countWords } from './count-words.ts'
import { type Attributes, linkMarks } from './link-marks.ts'
import { namesDuration, textMarks } from './text-marks.ts'

/** What rules ask of a page. */
export interface FoundInPage {
  marks: Marks
  language?: string
  words: number
}

/** Told of the elements and texts of a page, while it is read for the preflight. */
export interface PageListener {
  opened(tag: SaxesTagNS, line: number): void
  text(text: string, line: number): void
  closed(name: string): void
}

/** Counts what rules ask of a page. */
export interface PageWatcher extends PageListener {
  /** What was counted; `path` is the name of the page. */
  found(path: string): FoundInPage
}

/** An element that is open and whose text matters. */
interface Open {
  name: string
  depth: number
  line: number
  text: string
  attributes: Attributes
  /** Whether it has an image with alternative text, or one without. */
  hasNamedImage?: boolean
  hasUnnamedImage?: boolean
  /** Of a table: whether it has headers, and a caption. Of a figure: a caption. */
  hasHeaders?: boolean
  hasCaption?: boolean
  /** Of a film: captions. Of an object: what is shown in its place. */
  hasCaptions?: boolean
  hasContent?: boolean
}

const kept = new Set('a h1 h2 h3 h4 h5 h6 table figure video audio object canvas p title button'.split(' '))

/** The longest text that is kept of an element, and of what patterns look at. */
const textLimit = 2000

export function createPageWatcher(): PageWatcher {
  const marks = new Map<string, Mark>()
  const add = (name: PageMark, line: number): void => {
    const mark = marks.get(name)
    if (mark) mark.count += 1
    else marks.set(name, { count: 1, line })
  }
  const open: Open[] = []
  let language: string | undefined
  let depth = 0
  let words = 0
  let title = ''
  let level = 0
  let lists = 0
  let breaks = 0
  let unread = 0
  let hasMedia = 0
  let saysDuration = false
  let isSeen = false
  const within = (name: string): Open | undefined => open.findLast(each => each.name === name)

  function openedRoot(of: Attributes, line: number): void {
    const [lang, xmlLang] = [of('lang'), of('xml:lang')]
    language = lang ?? xmlLang
    if (lang) add('lang', line)
    if (xmlLang) add('xml-lang', line)
  }

  function openedImage(of: Attributes, line: number): void {
    isSeen = true
    add('image', line)
    const alt = of('alt')?.trim()
    const isNamed = hasName(of)
    if (isUndescribed(of)) add('image-without-alt', line)
    if (alt === '') add('alt-empty', line)
    if (alt === '' && !isDecoration(of)) add('image-unmarked', line)
    const file = (of('src') ?? '').split('/').at(-1) ?? ''
    if (alt && (/\.(?:jpe?g|png|gif|svg|webp)$/i.test(alt) || alt === file.replace(/\.\w{1,5}$/, '')))
      add('alt-file-name', line)
    if (
      /\b(?:math|equation|formula|latex|tex)\b/i.test(`${of('class') ?? ''}`) ||
      /\\(?:frac|sum|int|sqrt)/.test(alt ?? '')
    )
      add('math-as-image', line)
    for (const each of open) {
      if (isNamed) each.hasNamedImage = true
      else each.hasUnnamedImage = true
    }
  }

  function openedMedia(name: 'audio' | 'video', of: Attributes, line: number): void {
    hasMedia ||= line
    isSeen = true
    add(name, line)
    if (of('autoplay') !== undefined) add(`${name}-autoplay`, line)
    if (of('controls') === undefined) add(`${name}-without-controls`, line)
  }

  function openedMeta(of: Attributes, line: number): void {
    if (of('name')?.toLowerCase() === 'description' && of('content')?.trim()) add('description', line)
    const charset =
      of('charset') ??
      (of('http-equiv')?.toLowerCase() === 'content-type'
        ? /charset\s?=\s?([\w-]{1,40})/i.exec((of('content') ?? '').slice(0, textLimit))?.[1]
        : undefined)
    if (charset === undefined) return
    add('charset', line)
    if (charset.trim().toLowerCase() !== 'utf-8') add('charset-other', line)
  }

  function openedAny(name: string, of: Attributes, line: number): void {
    const [role, type] = [of('role') ?? '', of('epub:type') ?? '']
    if (role || type) add('role', line)
    if (name !== 'nav' && type && !role && typesWithRole.some(each => type.split(/\s+/).includes(each)))
      add('type-without-role', line)
    for (const word of new Set(`${role} ${type}`.slice(0, 500).split(/\s+/))) {
      const mark = parts[word.replace(/^doc-/, '')]
      if (mark) add(mark, line)
    }
    if (depth > 1 && (of('lang') ?? of('xml:lang')) !== undefined) add('language-inside', line)
    if (/^(?:und|mul)\b/i.test(of('lang') ?? of('xml:lang') ?? '')) add('language-undetermined', line)
    const style = of('style')?.slice(0, textLimit)
    if (style !== undefined) add('style-attribute', line)
    if (of('align') === 'justify' || /text-align\s?:\s?justify/i.test(style ?? '')) add('justified', line)
    const isUnderlined = name === 'u' || /text-decoration(?:-line)?\s?:\s?underline/i.test(style ?? '')
    if (isUnderlined && name !== 'a' && !within('a')) add('underlined', line)
    const isHidden =
      of('hidden') !== undefined ||
      (of('aria-hidden') === 'true' && !/^(?:img|svg|i|hr)$/.test(name)) ||
      /(?:display\s?:\s?none|visibility\s?:\s?hidden)/i.test(style ?? '')
    if (isHidden && name !== 'nav') add('hidden', line)
    if (Number(of('tabindex')) > 0) add('tab-order', line)
    const isReached =
      /^(?:a|button|input|select|textarea|summary|label|area)$/.test(name) || of('tabindex') !== undefined
    if (of('onclick') !== undefined && !isReached) add('handler', line)
  }

  function openedElement(name: string, of: Attributes, line: number): void {
    if (name === 'img') openedImage(of, line)
    else if (name === 'audio' || name === 'video') openedMedia(name, of, line)
    else if (name === 'meta') openedMeta(of, line)
    else if (/^(?:ul|ol|dl|nav)$/.test(name)) lists += 1
    else if (/^(?:script|style)$/.test(name)) unread += 1
    else if (name === 'th') openedHeader(of, line)
    else if (name === 'table') openedTable(of, line)
    if (/^(?:svg|math|hr|canvas|object|iframe)$/.test(name)) isSeen = true
    if (name === 'math' || name === 'form' || name === 'script' || name === 'style') add(name, line)
    if (name === 'table') add('table', line)
    if (name === 'abbr') add(of('title')?.trim() ? 'abbreviation' : 'abbreviation-without-title', line)
    const parent = open.at(-1)
    if (name === 'caption' && parent) {
      const table = within('table')
      if (table) table.hasCaption = true
    }
    if (name === 'figcaption') {
      const figure = within('figure')
      if (figure) figure.hasCaption = true
    }
    const player = within('video') ?? within('object') ?? within('canvas')
    if (name === 'track' && /^(?:captions|subtitles)?$/.test(of('kind') ?? '') && player)
      player.hasCaptions = true
    if (player && !/^(?:source|track|param)$/.test(name)) player.hasContent = true
    breaks = name === 'br' ? breaks + 1 : 0
    if (breaks === 3) add('breaks-in-a-row', line)
  }

  function openedHeader(of: Attributes, line: number): void {
    const table = within('table')
    if (table) table.hasHeaders = true
    if (of('scope') === undefined && of('id') === undefined) add('table-header-without-scope', line)
  }

  function openedTable(of: Attributes, line: number): void {
    const outer = within('table')
    if (outer || /^(?:presentation|none)$/.test(of('role') ?? '')) add('table-of-layout', line)
  }

  function closed(one: Open): void {
    const { name, line, attributes: of } = one
    const text = one.text.replace(/\s+/g, ' ').trim()
    if (name === 'title') title ||= text
    else if (name === 'a' && of('href') !== undefined)
      for (const mark of linkMarks(one, text)) add(mark, line)
    else if (/^h[1-6]$/.test(name)) closedHeading(Number(name[1]), one, text)
    else if (name === 'table' && !/^(?:presentation|none)$/.test(of('role') ?? '')) {
      if (!one.hasHeaders) add('table-without-headers', line)
      if (!one.hasCaption && !of('aria-label') && !of('aria-labelledby')) add('table-without-caption', line)
    } else if (name === 'figure' && !one.hasCaption) add('figure-without-caption', line)
    else if (name === 'video' && !one.hasCaptions) add('video-without-captions', line)
    else if (name === 'p' && lists === 0 && /^[•‣◦▪●■–—*·]\s/.test(text) && !/^[–—]/.test(text))
      add('bullet', line)
    if (/^(?:object|canvas|video|audio)$/.test(name) && text === '' && !one.hasContent)
      add('embedded-without-fallback', line)
  }

  function closedHeading(found: number, { line, hasNamedImage }: Open, text: string): void {
    add('heading', line)
    if (found === 1) add('heading-1', line)
    if (text === '' && !hasNamedImage) add('heading-empty', line)
    if (level > 0 && found > level + 1) add('heading-skipped', line)
    level = found
  }

  function read(text: string, line: number): void {
    if (!/\S/.test(text)) return
    breaks = 0
    isSeen = true
    words += countWords(text)
    const part = text.slice(0, 20_000)
    for (const mark of textMarks(part)) add(mark, line)
    saysDuration ||= namesDuration(part)
  }

  return {
    opened({ local, attributes }, line) {
      depth += 1
      const of = attributesOf(attributes)
      const name = local.toLowerCase()
      if (depth === 1) openedRoot(of, line)
      openedAny(name, of, line)
      openedElement(name, of, line)
      if (kept.has(name)) open.push({ name, depth, line, text: '', attributes: of })
    },
    text(text, line) {
      if (unread > 0) return
      for (const each of open) if (each.text.length < textLimit) each.text += text.slice(0, textLimit)
      if (within('title') === undefined) read(text, line)
    },
    closed(local) {
      const name = local.toLowerCase()
      if (/^(?:ul|ol|dl|nav)$/.test(name)) lists -= 1
      if (/^(?:script|style)$/.test(name)) unread -= 1
      const last = open.at(-1)
      if (last?.depth === depth) {
        open.pop()
        closed(last)
      }
      depth -= 1
    },
    found(path) {
      if (title) add('title', 1)
      const file = path.split('/').at(-1) ?? ''
      if (title && (title === file || title === file.replace(/\.\w{1,6}$/, ''))) add('title-of-file', 1)
      if (!isSeen) add('nothing', 1)
      if (hasMedia > 0 && !saysDuration) add('media-without-duration', hasMedia)
      if (hasMedia > 0 && !marks.has('transcript')) add('media-without-transcript', hasMedia)
      return { marks, words, ...(language && { language }) }
    },
  }
}

export const attributesOf =
  (attributes: Record<string, SaxesAttributeNS>): Attributes =>
  name =>
    Object.hasOwn(attributes, name) ? attributes[name]?.value : undefined

const isDecoration = (of: Attributes): boolean =>
  /^(?:presentation|none)$/.test(of('role') ?? '') || of('aria-hidden') === 'true'

const hasName = (of: Attributes): boolean =>
  Boolean(of('alt')?.trim() || of('aria-label') || of('aria-labelledby') || of('title'))

/** Whether an image says neither what stands in its place nor that nothing has to. */
export const isUndescribed = (of: Attributes): boolean =>
  of('alt') === undefined && !hasName(of) && !isDecoration(of)

/** The parts of a book that marks are of, by the ends of `epub:type` and of roles. */
const parts: Readonly<Record<string, PageMark>> = {
  bibliography: 'bibliography',
  chapter: 'chapter',
  'copyright-page': 'copyright-page',
  glossary: 'glossary',
  index: 'index',
  pagebreak: 'page-break',
}

/** Kinds of parts that ARIA has roles for (https://www.w3.org/TR/dpub-aria-1.1/). */
const typesWithRole =
  'chapter part appendix bibliography glossary index foreword preface prologue epilogue introduction conclusion afterword dedication epigraph acknowledgments toc pagebreak'.split(
    ' ',
  )
