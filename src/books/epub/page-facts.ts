import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'
import type { Mark, Marks, PageMark } from '../marks.ts'
import type { Position } from '../position.ts'
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
  opened(tag: SaxesTagNS, at: Position): void
  text(text: string, at: Position): void
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
  at: Position
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
  const add = (name: PageMark, at: Position): void => {
    const mark = marks.get(name)
    if (mark) mark.count += 1
    else marks.set(name, { count: 1, ...at })
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
  let media: Position | undefined
  let saysDuration = false
  let isSeen = false
  const within = (name: string): Open | undefined => open.findLast(each => each.name === name)

  function openedRoot(of: Attributes, at: Position): void {
    const [lang, xmlLang] = [of('lang'), of('xml:lang')]
    language = lang ?? xmlLang
    if (lang) add('lang', at)
    if (xmlLang) add('xml-lang', at)
  }

  function openedImage(of: Attributes, at: Position): void {
    isSeen = true
    add('image', at)
    const alt = of('alt')?.trim()
    const isNamed = hasName(of)
    if (isUndescribed(of)) add('image-without-alt', at)
    if (alt === '') add('alt-empty', at)
    if (alt === '' && !isDecoration(of)) add('image-unmarked', at)
    const file = (of('src') ?? '').split('/').at(-1) ?? ''
    if (alt && (/\.(?:jpe?g|png|gif|svg|webp)$/i.test(alt) || alt === file.replace(/\.\w{1,5}$/, '')))
      add('alt-file-name', at)
    if (
      /\b(?:math|equation|formula|latex|tex)\b/i.test(`${of('class') ?? ''}`) ||
      /\\(?:frac|sum|int|sqrt)/.test(alt ?? '')
    )
      add('math-as-image', at)
    for (const each of open) {
      if (isNamed) each.hasNamedImage = true
      else each.hasUnnamedImage = true
    }
  }

  function openedMedia(name: 'audio' | 'video', of: Attributes, at: Position): void {
    media ??= at
    isSeen = true
    add(name, at)
    if (of('autoplay') !== undefined) add(`${name}-autoplay`, at)
    if (of('controls') === undefined) add(`${name}-without-controls`, at)
  }

  function openedMeta(of: Attributes, at: Position): void {
    if (of('name')?.toLowerCase() === 'description' && of('content')?.trim()) add('description', at)
    const charset =
      of('charset') ??
      (of('http-equiv')?.toLowerCase() === 'content-type'
        ? /charset\s?=\s?([\w-]{1,40})/i.exec((of('content') ?? '').slice(0, textLimit))?.[1]
        : undefined)
    if (charset === undefined) return
    add('charset', at)
    if (charset.trim().toLowerCase() !== 'utf-8') add('charset-other', at)
  }

  function openedAny(name: string, of: Attributes, at: Position): void {
    const [role, type] = [of('role') ?? '', of('epub:type') ?? '']
    if (role || type) add('role', at)
    if (name !== 'nav' && type && !role && typesWithRole.some(each => type.split(/\s+/).includes(each)))
      add('type-without-role', at)
    for (const word of new Set(`${role} ${type}`.slice(0, 500).split(/\s+/))) {
      const mark = parts[word.replace(/^doc-/, '')]
      if (mark) add(mark, at)
    }
    if (depth > 1 && (of('lang') ?? of('xml:lang')) !== undefined) add('language-inside', at)
    if (/^(?:und|mul)\b/i.test(of('lang') ?? of('xml:lang') ?? '')) add('language-undetermined', at)
    const style = of('style')?.slice(0, textLimit)
    if (style !== undefined) add('style-attribute', at)
    if (of('align') === 'justify' || /text-align\s?:\s?justify/i.test(style ?? '')) add('justified', at)
    const isUnderlined = name === 'u' || /text-decoration(?:-line)?\s?:\s?underline/i.test(style ?? '')
    if (isUnderlined && name !== 'a' && !within('a')) add('underlined', at)
    const isHidden =
      of('hidden') !== undefined ||
      (of('aria-hidden') === 'true' && !/^(?:img|svg|i|hr)$/.test(name)) ||
      /(?:display\s?:\s?none|visibility\s?:\s?hidden)/i.test(style ?? '')
    if (isHidden && name !== 'nav') add('hidden', at)
    if (Number(of('tabindex')) > 0) add('tab-order', at)
    const isReached =
      /^(?:a|button|input|select|textarea|summary|label|area)$/.test(name) || of('tabindex') !== undefined
    if (of('onclick') !== undefined && !isReached) add('handler', at)
  }

  function openedElement(name: string, of: Attributes, at: Position): void {
    if (name === 'img') openedImage(of, at)
    else if (name === 'audio' || name === 'video') openedMedia(name, of, at)
    else if (name === 'meta') openedMeta(of, at)
    else if (/^(?:ul|ol|dl|nav)$/.test(name)) lists += 1
    else if (/^(?:script|style)$/.test(name)) unread += 1
    else if (name === 'th') openedHeader(of, at)
    else if (name === 'table') openedTable(of, at)
    if (/^(?:svg|math|hr|canvas|object|iframe)$/.test(name)) isSeen = true
    if (name === 'math' || name === 'form' || name === 'script' || name === 'style') add(name, at)
    if (name === 'table') add('table', at)
    if (name === 'abbr') add(of('title')?.trim() ? 'abbreviation' : 'abbreviation-without-title', at)
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
    if (breaks === 3) add('breaks-in-a-row', at)
  }

  function openedHeader(of: Attributes, at: Position): void {
    const table = within('table')
    if (table) table.hasHeaders = true
    if (of('scope') === undefined && of('id') === undefined) add('table-header-without-scope', at)
  }

  function openedTable(of: Attributes, at: Position): void {
    const outer = within('table')
    if (outer || /^(?:presentation|none)$/.test(of('role') ?? '')) add('table-of-layout', at)
  }

  function closed(one: Open): void {
    const { name, at, attributes: of } = one
    const text = one.text.replace(/\s+/g, ' ').trim()
    if (name === 'title') title ||= text
    else if (name === 'a' && of('href') !== undefined) for (const mark of linkMarks(one, text)) add(mark, at)
    else if (/^h[1-6]$/.test(name)) closedHeading(Number(name[1]), one, text)
    else if (name === 'table' && !/^(?:presentation|none)$/.test(of('role') ?? '')) {
      if (!one.hasHeaders) add('table-without-headers', at)
      if (!one.hasCaption && !of('aria-label') && !of('aria-labelledby')) add('table-without-caption', at)
    } else if (name === 'figure' && !one.hasCaption) add('figure-without-caption', at)
    else if (name === 'video' && !one.hasCaptions) add('video-without-captions', at)
    else if (name === 'p' && lists === 0 && /^[•‣◦▪●■–—*·]\s/.test(text) && !/^[–—]/.test(text))
      add('bullet', at)
    if (/^(?:object|canvas|video|audio)$/.test(name) && text === '' && !one.hasContent)
      add('embedded-without-fallback', at)
  }

  function closedHeading(found: number, { at, hasNamedImage }: Open, text: string): void {
    add('heading', at)
    if (found === 1) add('heading-1', at)
    if (text === '' && !hasNamedImage) add('heading-empty', at)
    if (level > 0 && found > level + 1) add('heading-skipped', at)
    level = found
  }

  function read(text: string, at: Position): void {
    if (!/\S/.test(text)) return
    breaks = 0
    isSeen = true
    words += countWords(text)
    const part = text.slice(0, 20_000)
    for (const mark of textMarks(part)) add(mark, at)
    saysDuration ||= namesDuration(part)
  }

  return {
    opened({ local, attributes }, at) {
      depth += 1
      const of = attributesOf(attributes)
      const name = local.toLowerCase()
      if (depth === 1) openedRoot(of, at)
      openedAny(name, of, at)
      openedElement(name, of, at)
      if (kept.has(name)) open.push({ name, depth, at, text: '', attributes: of })
    },
    text(text, at) {
      if (unread > 0) return
      for (const each of open) if (each.text.length < textLimit) each.text += text.slice(0, textLimit)
      if (within('title') === undefined) read(text, at)
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
      if (title) add('title', { line: 1 })
      const file = path.split('/').at(-1) ?? ''
      if (title && (title === file || title === file.replace(/\.\w{1,6}$/, '')))
        add('title-of-file', { line: 1 })
      if (!isSeen) add('nothing', { line: 1 })
      if (media && !saysDuration) add('media-without-duration', media)
      if (media && !marks.has('transcript')) add('media-without-transcript', media)
      return { marks, words, ...(language && { language }) }
    },
  }
}

const attributesOf =
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
