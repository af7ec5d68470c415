import type { Reference } from './reference.ts'

/** The types that every reading system of EPUB 3 knows, of which what is shown needs no fallback. */
const core =
  /^(?:image\/(?:gif|jpe?g|png|svg\+xml|webp|avif|jxl)|audio\/(?:mpeg|mp4|ogg ?; ?codecs=opus)|application\/xhtml\+xml|text\/css|(?:text|application)\/javascript|application\/ecmascript|application\/(?:smil|pls|x-dtbncx)\+xml|font\/(?:otf|ttf|woff2?)|application\/(?:font-sfnt|font-woff|vnd\.ms-opentype))$/

export const isCore = (mediaType: string): boolean => core.test(mediaType)

/** Whether a type is one of those that books give their fonts, old ones included. */
export const isFont = (mediaType: string): boolean =>
  /^font\/|^application\/(?:vnd\.ms-opentype|font-|x-font-)/.test(mediaType)

/** The elements that show their target themselves, so that it has to be of a type that is known. */
const shows = ['audio', 'embed', 'img', 'input', 'math', 'source', 'video']

/** Whether a reference needs its target to be of a type that every reading system knows, or with a fallback that is. */
export const needsCore = ({ element, choice }: Reference, mediaType: string): boolean =>
  shows.includes(element) &&
  !(mediaType.startsWith('video/') && (choice?.name === 'video' || ['img', 'input'].includes(element)))

/** The elements of which the target may lie elsewhere: sound and film; and styles, for fonts. */
const mayBeRemote = ['audio', 'video', 'source', 'style', 'track', 'object', 'embed', 'font-face-uri']

/** Whether what an element shows may lie elsewhere, as it is declared. */
export const isRemoteAllowed = ({ element, choice }: Reference, mediaType: string | undefined): boolean =>
  mayBeRemote.includes(element) &&
  choice?.name !== 'picture' &&
  !(element === 'style' && mediaType !== undefined && /^(?:image\/(?!svg)|text\/css)/.test(mediaType)) &&
  !(['object', 'embed'].includes(element) && !/^(?:audio|video)\//.test(mediaType ?? ''))
