import type { AccessibilityFacts } from '../accessibility-facts.ts'
import { type ConformanceClaim, claimIn, unknownClaimsIn } from './conformance.ts'
import type { Terms } from './vocabulary.ts'

/** The sections of the display guide, with what they say of a book. */
export interface Statements {
  waysOfReading: string[]
  conformance: string[]
  navigation: string[]
  richContent: string[]
  hazards: string[]
  accessibilitySummary: string[]
  legalConsiderations: string[]
  additionalInformation: string[]
}

const noInformation = 'No information is available'

/**
 * What a book says of its accessibility, in the compact statements of the W3C's Accessibility Metadata Display Guide for
 * Digital Publications 2.0 (https://www.w3.org/publishing/a11y/metadata-display-guide/), chosen as its techniques for EPUB
 * choose them (https://www.w3.org/publishing/a11y/metadata-display-guide/techniques/epub/). For PDF/UA, which the guide does
 * not name, its words for a claim are used.
 */
export function statementsOf(facts: AccessibilityFacts, terms: Terms, isFixedLayout: boolean): Statements {
  const { metadata } = facts
  const orNone = (statements: string[]) => (statements.length === 0 ? [noInformation] : statements)
  return {
    waysOfReading: [visualAdjustments(terms, isFixedLayout), ...nonvisualReading(terms), audio(terms)],
    conformance: conformance(facts),
    navigation: orNone(navigation(terms)),
    richContent: orNone(richContent(terms)),
    hazards: orNone(hazards(terms)),
    accessibilitySummary: orNone(metadata.accessibilitySummary),
    legalConsiderations: [
      terms.exemptions.size > 0 ? 'Claims an accessibility exemption in some jurisdictions' : noInformation,
    ],
    additionalInformation: additional(terms),
  }
}

function visualAdjustments({ features }: Terms, isFixedLayout: boolean): string {
  if (features.has('displayTransformability')) return 'Appearance can be modified'
  return isFixedLayout
    ? 'Appearance cannot be modified'
    : 'No information about appearance modifiability is available'
}

function nonvisualReading({ accessModes, sufficient, features }: Terms): string[] {
  const isOnly = (mode: string) => accessModes.size === 1 && accessModes.has(mode)
  const isAllText = isOnly('textual') || sufficient.some(set => set.length === 1 && set[0] === 'textual')
  const isSomeText = accessModes.has('textual') || sufficient.some(set => set.includes('textual'))
  const hasAlternatives = ['alternativeText', 'longDescription', 'describedMath', 'transcript'].some(
    feature => features.has(feature),
  )
  const reading = isAllText
    ? 'Readable in read aloud or dynamic braille'
    : isSomeText || hasAlternatives
      ? 'Not fully readable in read aloud or dynamic braille'
      : isOnly('auditory') || isOnly('visual')
        ? 'Not readable in read aloud or dynamic braille'
        : 'No information about nonvisual reading is available'
  return hasAlternatives ? [reading, 'Has alternative text'] : [reading]
}

function audio({ accessModes, sufficient, features }: Terms): string {
  if (features.has('synchronizedAudioText')) return 'Prerecorded audio synchronized with text'
  if (sufficient.some(set => set.length === 1 && set[0] === 'auditory')) return 'Prerecorded audio only'
  if (accessModes.has('auditory')) return 'Prerecorded audio clips'
  return 'No information about prerecorded audio is available'
}

const levels: Readonly<Record<ConformanceClaim['level'], string>> = {
  A: 'This publication meets minimum accessibility standards',
  AA: 'This publication meets accepted accessibility standards',
  AAA: 'This publication exceeds accepted accessibility standards',
}

function conformance({ metadata, pdf }: AccessibilityFacts): string[] {
  const claim = claimIn(metadata.conformsTo)
  const statements: string[] = []
  if (claim) statements.push(levels[claim.level])
  else if (unknownClaimsIn(metadata.conformsTo).length > 0) {
    statements.push(
      'Conformance to accepted standards for accessibility of this publication cannot be determined',
    )
  } else if (pdf?.pdfUaPart !== undefined) return [`This publication claims to meet PDF/UA-${pdf.pdfUaPart}`]
  else return [noInformation]
  for (const name of metadata.certifiedBy) statements.push(`The publication was certified by ${name}`)
  for (const each of metadata.certifierCredential) statements.push(`The certifier's credential is ${each}`)
  if (claim) {
    statements.push(
      `This publication claims to meet EPUB Accessibility ${claim.epubAccessibility} WCAG ${claim.wcag} Level ${claim.level}`,
    )
  }
  for (const date of metadata.certificationDate) statements.push(`The publication was certified on ${date}`)
  for (const each of metadata.certifierReport)
    statements.push(`For more information refer to the certifier's report: ${each}`)
  return statements
}

const hazardStatements: readonly (readonly [string, string])[] = [
  ['flashing', 'Flashing content'],
  ['motionSimulation', 'Motion simulation'],
  ['sound', 'Sounds'],
  ['unknownFlashingHazard', 'Flashing hazards not known'],
  ['unknownMotionSimulationHazard', 'Motion simulation hazards not known'],
  ['unknownSoundHazard', 'Sound hazards not known'],
  ['noFlashingHazard', 'No flashing hazards'],
  ['noMotionSimulationHazard', 'No motion simulation hazards'],
  ['noSoundHazard', 'No sound hazards'],
]

function hazards({ hazards: found }: Terms): string[] {
  const hasAll = (...names: string[]) => names.every(name => found.has(name))
  if (found.has('none') || hasAll('noFlashingHazard', 'noMotionSimulationHazard', 'noSoundHazard'))
    return ['No hazards']
  if (
    found.has('unknown') ||
    hasAll('unknownFlashingHazard', 'unknownMotionSimulationHazard', 'unknownSoundHazard')
  )
    return ['The presence of hazards is unknown']
  return hazardStatements.flatMap(([name, statement]) => (found.has(name) ? statement : []))
}

type Table = readonly (readonly [feature: string, statement: string])[]

const said =
  (table: Table) =>
  ({ features }: Terms): string[] =>
    table.flatMap(([feature, statement]) => (features.has(feature) ? statement : []))

/** The statements of the section "Navigation". */
const navigation = said([
  ['pageNavigation', 'Go to page'],
  ['structuralNavigation', 'Headings'],
  ['index', 'Index'],
  ['tableOfContents', 'Table of contents'],
])

/** The statements of the section "Rich content". */
const richContent = said([
  ['longDescription', 'Information-rich images are described by extended descriptions'],
  ['latex-chemistry', 'Chemical formulas in LaTeX'],
  ['MathML-chemistry', 'Chemical formulas in MathML'],
  ['describedMath', 'Text descriptions of math are provided'],
  ['latex', 'Math as LaTeX'],
  ['MathML', 'Math as MathML'],
  ['closedCaptions', 'Videos have closed captions'],
  ['openCaptions', 'Videos have open captions'],
  ['transcript', 'Transcript(s) provided'],
])

/** The statements of the section "Additional accessibility information". */
const additional = said([
  ['pageBreakMarkers', 'Page breaks included'],
  ['ARIA', 'ARIA roles included'],
  ['audioDescription', 'Audio descriptions'],
  ['braille', 'Braille'],
  ['fullRubyAnnotations', 'Full ruby annotations'],
  ['highContrastAudio', 'High contrast between foreground and background audio'],
  ['highContrastDisplay', 'High contrast between foreground text and background'],
  ['largePrint', 'Large print'],
  ['rubyAnnotations', 'Some Ruby annotations'],
  ['signLanguage', 'Sign language'],
  ['tactileGraphic', 'Tactile graphics included'],
  ['tactileObject', 'Tactile 3D objects'],
  ['ttsMarkup', 'Text-to-speech hinting provided'],
])
