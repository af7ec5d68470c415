import { html } from '../pages/html.ts'
import { given } from '../system/given.ts'
import type { Audiobook, Track } from './audiobook.ts'

/** The publication manifest of an audiobook, by the W3C's profile (https://www.w3.org/TR/audiobooks/). */
export function audiobookManifest(book: Audiobook): object {
  const { title, authors, narrators, language, publisher, year, isbn, description, tracks, cover } = book
  const { mediaType, name } = cover ?? {}
  return {
    '@context': [
      'https://schema.org',
      'https://www.w3.org/ns/pub-context',
      ...(language === undefined ? [] : [{ language }]),
    ],
    conformsTo: 'https://www.w3.org/TR/audiobooks/',
    type: 'Audiobook',
    ...given({ id: isbn && `urn:isbn:${isbn}` }),
    name: title,
    ...given({
      author: authors,
      readBy: narrators,
      publisher,
      inLanguage: language,
      datePublished: year,
      description,
    }),
    duration: durationOf(secondsOf(book)),
    readingOrder: tracks.map(track => ({
      type: 'LinkedResource',
      url: track.name,
      encodingFormat: track.mediaType,
      name: track.title,
      duration: durationOf(track.duration),
    })),
    resources: [
      ...(name === undefined
        ? []
        : [{ type: 'LinkedResource', rel: 'cover', url: name, encodingFormat: mediaType }]),
      { type: 'LinkedResource', rel: 'contents', url: contentsName, encodingFormat: 'text/html' },
    ],
  }
}

/** The table of contents, a page of its own. */
export const contentsName = 'contents.html'

/** The table of contents: the tracks with their chapters, or the chapters of the only track. */
export function contentsPage({ title, language, tracks }: Audiobook): string {
  const [only] = tracks
  const entries =
    tracks.length === 1 && only && only.chapters.length > 0
      ? chapterList(only)
      : html`<ol>
${tracks.map(
  track => html`<li><a href="${track.name}">${track.title}</a>${track.chapters.length > 1 && chapterList(track)}</li>
`,
)}</ol>`
  return `<!doctype html>
${html`<html lang="${language ?? ''}">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<nav role="doc-toc">
<h1>${title}</h1>
${entries}
</nav>
</body>
</html>
`}`
}

const chapterList = ({ name, chapters }: Track) => html`<ol>
${chapters.map(
  ({ title, start }) => html`<li><a href="${name}#t=${Math.round(start * 1000) / 1000}">${title}</a></li>
`,
)}</ol>`

/** How long a book plays, in seconds. */
export const secondsOf = ({ tracks }: Pick<Audiobook, 'tracks'>): number =>
  Math.round(tracks.reduce((sum, { duration }) => sum + duration, 0) * 1000) / 1000

const durationOf = (seconds: number): string => `PT${seconds}S`
