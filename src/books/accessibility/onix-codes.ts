import type { PublicationType } from '../../service/contract/publication-type.ts'
import type { AccessibilityFacts } from '../accessibility-facts.ts'
import { claimIn } from './conformance.ts'
import { list196 } from './onix-list-196.ts'
import type { Terms } from './vocabulary.ts'

/** A code of an ONIX list that follows from what a book says. */
interface OnixCode {
  code: string
  label: string
  /** What `ProductFormFeatureDescription` carries. */
  value?: string
  /** The code follows only where this holds, which the book does not tell. */
  condition?: string
}

/** The codes of list 196 that follow, those that may follow, and those of list 143, which has the hazards. */
export interface OnixCodes {
  list196: OnixCode[]
  list196Conditional: OnixCode[]
  list143: OnixCode[]
}

const byFeature: Readonly<Record<string, string>> = {
  alternativeText: '14',
  ARIA: '30',
  ChemML: '18',
  describedMath: '53',
  displayTransformability: '36',
  highContrastAudio: '27',
  highContrastDisplay: '37',
  index: '12',
  latex: '35',
  'latex-chemistry': '54',
  longDescription: '15',
  MathML: '17',
  'MathML-chemistry': '34',
  none: '09',
  pageBreakMarkers: '19',
  pageNavigation: '41',
  readingOrder: '13',
  structuralNavigation: '29',
  synchronizedAudioText: '20',
  tableOfContents: '11',
  ttsMarkup: '21',
  unknown: '08',
}

const byHazard: Readonly<Record<string, readonly [code: string, label: string]>> = {
  none: ['00', 'No known hazards or warnings'],
  flashing: ['13', 'WARNING - Flashing hazard'],
  noFlashingHazard: ['14', 'No flashing hazard warning necessary'],
  sound: ['15', 'WARNING - Sound hazard'],
  noSoundHazard: ['16', 'No sound hazard warning necessary'],
  motionSimulation: ['17', 'WARNING - Motion simulation hazard'],
  noMotionSimulationHazard: ['18', 'No motion simulation hazard warning necessary'],
  unknownFlashingHazard: ['24', 'Flashing risk unknown'],
  unknownSoundHazard: ['25', 'Sound risk unknown'],
  unknownMotionSimulationHazard: ['26', 'Motion simulation unknown'],
}

const byExemption: Readonly<Record<string, string>> = {
  'eaa-microenterprise': '75',
  'eaa-disproportionate-burden': '76',
  'eaa-fundamental-alteration': '77',
}

const byWcag = { '2.0': '80', '2.1': '81', '2.2': '82' } as const
const byLevel = { A: '84', AA: '85', AAA: '86' } as const

/**
 * The codes of ONIX list 196, and of list 143 for the hazards, that follow by the W3C's crosswalk
 * (https://w3c.github.io/publ-a11y/metadata-crosswalk/, as of April 2026). Code 91 is in the display guide's techniques for
 * ONIX instead. `publisher` tells a publisher's own report from others.
 */
export function onixCodesOf({ metadata, pdf }: AccessibilityFacts, terms: Terms, publisher = ''): OnixCodes {
  const codes: OnixCode[] = []
  const conditional: OnixCode[] = []
  const add = (code: string, value?: string) =>
    void codes.push({ code, label: list196[code] as string, ...(value !== undefined && { value }) })
  const maybe = (code: string, condition: string, value?: string) =>
    void conditional.push({
      code,
      label: list196[code] as string,
      ...(value !== undefined && { value }),
      condition,
    })

  for (const summary of metadata.accessibilitySummary) {
    add('00', summary)
    maybe('92', 'in place of 00, if the summary says only what no other code says', summary)
  }
  for (const code of claimed({ metadata, ...(pdf && { pdf }) })) add(code)
  for (const feature of terms.features)
    if (Object.hasOwn(byFeature, feature)) add(byFeature[feature] as string)
  if (terms.features.has('longDescription'))
    maybe('16', 'if the data of graphs and charts is also there as text or tables')
  for (const [mode, code] of [
    ['auditory', '51'],
    ['textual', '52'],
  ] as const) {
    if (terms.sufficient.some(set => set.length === 1 && set[0] === mode)) add(code)
  }
  for (const exemption of terms.exemptions) add(byExemption[exemption] as string)
  for (const name of metadata.certifierCredential) add(isAddress(name) ? '89' : '88', name)
  for (const name of metadata.certifiedBy) add(isAddress(name) ? '93' : '90', name)
  for (const date of metadata.certificationDate) {
    const [day] = /^\d{4}-\d\d-\d\d/.exec(date) ?? []
    if (day) add('91', day.replaceAll('-', ''))
  }
  const isOwn = metadata.certifiedBy.some(name => name.toLowerCase() === publisher.toLowerCase())
  for (const report of metadata.certifierReport) {
    if (isOwn) add('96', report)
    else {
      maybe('94', 'if the certifier is independent', report)
      maybe('95', 'if the certifier is a trusted intermediary, such as the distributor', report)
    }
  }
  return {
    list196: sorted(codes),
    list196Conditional: sorted(conditional),
    list143: sorted(
      [...terms.hazards].flatMap(hazard => {
        const [code, label] = byHazard[hazard] ?? []
        return code === undefined || label === undefined ? [] : { code, label }
      }),
    ),
  }
}

/** The codes of the standards that a book says it meets. */
function claimed({ metadata, pdf }: AccessibilityFacts): string[] {
  const claim = claimIn(metadata.conformsTo)
  if (claim?.epubAccessibility === '1.1') return ['04', byWcag[claim.wcag], byLevel[claim.level]]
  // The list has no code for 1.2, and 04 means 1.1.
  if (claim?.epubAccessibility === '1.2') return [byWcag[claim.wcag], byLevel[claim.level]]
  if (claim) return { A: ['02'], AA: ['03'], AAA: ['03', '86'] }[claim.level]
  if (pdf?.pdfUaPart === '1') return ['05']
  return pdf?.pdfUaPart === '2' ? ['06'] : []
}

/** The codes of list 196 that a file of a type can give. An EPUB can give all that the crosswalk has, and a PDF only its own. */
export function sayableCodes(type: PublicationType): ReadonlySet<string> {
  const pdf = ['05', '06']
  const features = ['00', '51', '52', ...Object.values(byFeature)]
  if (type === 'PDF') return new Set(pdf)
  if (type !== 'EPUB') return new Set(features)
  const claims = ['02', '03', '04', ...Object.values(byWcag), ...Object.values(byLevel)]
  const certified = ['88', '89', '90', '91', '93', '96']
  return new Set([...features, ...claims, ...certified, ...Object.values(byExemption)])
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const sorted = (codes: readonly OnixCode[]): OnixCode[] =>
  [...codes].sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0))
