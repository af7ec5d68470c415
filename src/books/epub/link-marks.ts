import { isElsewhere } from '../href.ts'
import type { PageMark } from '../marks.ts'

/** The value of an attribute by its name, with its prefix. */
export type Attributes = (name: string) => string | undefined

interface LinkFacts {
  attributes: Attributes
  /** Whether it has an image with alternative text, or one without. */
  hasNamedImage?: boolean
  hasUnnamedImage?: boolean
}

/** What rules ask of a link, by its attributes and its text. */
export function linkMarks(link: LinkFacts, text: string): PageMark[] {
  const { attributes: of, hasNamedImage, hasUnnamedImage } = link
  const found: PageMark[] = ['link']
  const href = (of('href') ?? '').trim().slice(0, 2000)
  const label = text || (of('aria-label') ?? of('title') ?? '').trim()
  if (label === '' && hasUnnamedImage && !hasNamedImage) found.push('link-image-without-alt')
  if (label === '' && !hasNamedImage && !of('aria-labelledby')) found.push('link-empty')
  if (
    genericLabels.has(
      label
        .toLowerCase()
        .replace(/[.!:…»«>\s]/g, ' ')
        .trim(),
    )
  )
    found.push('link-generic')
  if (/^https?:\/\/\S+$/i.test(label)) found.push('address-as-link')
  if (/^tel:(?!\+)/i.test(href)) found.push('telephone-without-country')
  const opensMail = /^mailto:/i.test(href) && !/mail|@|courriel|correo|schreib|write|écri/i.test(label)
  const opensTelephone = /^(?:tel|sms):/i.test(href) && !/\d|call|phone|tel|appel|anruf/i.test(label)
  if (opensMail || opensTelephone) found.push('link-other-program')
  if (isElsewhere(href) && !/^(?:data|tel|sms|mailto):/i.test(href)) found.push('link-outside')
  const format = downloads.exec(href)?.[1]
  return format === undefined ? found : [...found, ...downloadMarks(format, label, of('hreflang'))]
}

const downloads = /\.(pdf|epub|zip|docx?|xlsx?|pptx?|mp3|mp4|csv)(?:[?#]|$)/i

function downloadMarks(format: string, label: string, language: string | undefined): PageMark[] {
  const found: PageMark[] = ['link-download']
  if (!label.toLowerCase().includes(format.toLowerCase())) found.push('link-download-without-format')
  if (!/\d\s?(?:[kmg]i?b|[kmg]o|bytes|octets)\b/i.test(label)) found.push('link-download-without-size')
  if (!language) found.push('link-download-without-language')
  return found
}

const genericLabels = new Set([
  ...['here', 'click here', 'link', 'this link', 'more', 'read more', 'learn more', 'see more', 'details'],
  ...['download', 'ici', 'cliquez ici', 'lien', 'plus', 'lire la suite', 'en savoir plus', 'voir plus'],
  ...['télécharger', 'hier', 'hier klicken', 'mehr', 'weiterlesen', 'mehr erfahren', 'aquí', 'leer más'],
  ...['haga clic aquí', 'qui', 'clicca qui', 'leggi di più'],
])
