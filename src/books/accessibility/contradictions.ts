import type { AccessibilityFacts } from '../accessibility-facts.ts'
import type { Book } from '../book.ts'
import { claimIn } from './conformance.ts'
import type { Terms } from './vocabulary.ts'

/** Two things that a book says of itself and that cannot both be true, or one that its content denies. */
export interface Contradiction {
  /** A stable code for scripts. */
  code: string
  /** One sentence for a person. */
  message: string
  /** Where it shows: `EPUB/one.xhtml:12`. */
  place?: string
}

const risks = [
  ['flashing', 'noFlashingHazard', 'unknownFlashingHazard'],
  ['motionSimulation', 'noMotionSimulationHazard', 'unknownMotionSimulationHazard'],
  ['sound', 'noSoundHazard', 'unknownSoundHazard'],
] as const

/** The contradictions among what a book says, and between that and its content. */
export function contradictionsIn(facts: AccessibilityFacts, terms: Terms, book: Book): Contradiction[] {
  const { features, hazards } = terms
  const found: Contradiction[] = []
  const add = (code: string, message: string, place?: string) =>
    void found.push({ code, message, ...(place !== undefined && { place }) })

  for (const alone of ['none', 'unknown']) {
    if (hazards.has(alone) && hazards.size > 1)
      add('hazards_contradict', `It gives the hazard "${alone}" together with ${others(hazards, alone)}.`)
    if (features.has(alone) && features.size > 1)
      add('features_contradict', `It gives the feature "${alone}" together with ${others(features, alone)}.`)
  }
  for (const risk of risks) {
    const given = risk.filter(hazard => hazards.has(hazard))
    if (given.length > 1) add('hazards_contradict', `It gives the hazards ${listed(given)}.`)
  }
  if (features.has('displayTransformability') && book.layout === 'fixed')
    add('layout_fixed', 'It claims displayTransformability, and its layout is fixed.')
  if (features.has('tableOfContents') && book.navigation.length === 0)
    add('contents_missing', 'It claims tableOfContents, and has no table of contents.')
  if (features.has('unlocked') && book.drm !== undefined)
    add('protected', 'It claims to be unlocked, and is protected against copying.')
  addFromContent(facts, features, add)
  addFromPdf(facts, add)
  return found
}

type Add = (code: string, message: string, place?: string) => void

function addFromContent(
  { metadata, content }: AccessibilityFacts,
  features: ReadonlySet<string>,
  add: Add,
): void {
  if (!content) return
  const { images, imagesWithoutAlt: without, firstWithoutAlt: place } = content
  const claims = [
    ...['alternativeText', 'longDescription'].filter(feature => features.has(feature)),
    ...(claimIn(metadata.conformsTo) ? ['conformance to WCAG'] : []),
  ]
  if (without > 0 && claims.length > 0) {
    const which =
      without < images
        ? `${without} of ${images} images ${without === 1 ? 'has' : 'have'}`
        : images === 1
          ? 'its only image has'
          : `all ${images} images have`
    add('alt_missing', `It claims ${listed(claims)}, and ${which} no alternative text.`, place)
  }
  if (features.has('pageNavigation') && !content.hasPageList)
    add('page_list_missing', 'It claims pageNavigation, and has no page list.')
  if (features.has('synchronizedAudioText') && !content.hasMediaOverlays)
    add('media_overlays_missing', 'It claims synchronizedAudioText, and has no media overlays.')
}

function addFromPdf({ pdf }: AccessibilityFacts, add: Add): void {
  if (pdf?.pdfUaPart === undefined) return
  const claim = `It claims PDF/UA-${pdf.pdfUaPart}`
  if (!pdf.isTagged) add('pdf_untagged', `${claim}, and is not tagged.`)
  if (!pdf.showsTitle) add('pdf_title_hidden', `${claim}, and does not let viewers show its title.`)
  if (!pdf.language) add('pdf_language_missing', `${claim}, and does not say its language.`)
}

const others = (all: ReadonlySet<string>, but: string): string =>
  listed([...all].filter(each => each !== but))

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
