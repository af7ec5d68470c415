import type { AccessibilityMetadata } from '../accessibility-facts.ts'

/** The terms of each property, from https://www.w3.org/2021/a11y-discov-vocab/latest/ with those that it calls deprecated. */
const terms = {
  accessMode: `auditory chartOnVisual chemOnVisual colorDependent diagramOnVisual mathOnVisual musicOnVisual tactile
    textOnVisual textual visual`,
  accessibilityFeature: `alternativeText annotations ARIA audioDescription bookmarks braille captions ChemML closedCaptions
    describedMath displayTransformability fullRubyAnnotations highContrastAudio highContrastDisplay horizontalWriting index
    largePrint latex latex-chemistry longDescription MathML MathML-chemistry none openCaptions pageBreakMarkers
    pageNavigation printPageNumbers readingOrder rubyAnnotations signLanguage structuralNavigation synchronizedAudioText
    tableOfContents taggedPDF tactileGraphic tactileObject timingControl transcript ttsMarkup unknown unlocked
    verticalWriting withAdditionalWordSegmentation withoutAdditionalWordSegmentation`,
  accessibilityHazard: `flashing motionSimulation sound none unknown noFlashingHazard noMotionSimulationHazard noSoundHazard
    unknownFlashingHazard unknownMotionSimulationHazard unknownSoundHazard`,
  // https://www.w3.org/TR/epub-a11y-exemption/
  exemption: 'eaa-microenterprise eaa-disproportionate-burden eaa-fundamental-alteration',
}

type Property = keyof typeof terms

/** Names that a term had before, or that books often write. */
const formerNames: Readonly<Record<string, string>> = {
  printpagenumbers: 'pageBreakMarkers',
  longdescriptions: 'longDescription',
}

const byLowerCase = (names: string): ReadonlyMap<string, string> =>
  new Map(names.split(/\s+/).map(name => [name.toLowerCase(), name]))

const vocabulary: Readonly<Record<Property, ReadonlyMap<string, string>>> = {
  accessMode: byLowerCase(terms.accessMode),
  accessibilityFeature: byLowerCase(terms.accessibilityFeature),
  accessibilityHazard: byLowerCase(terms.accessibilityHazard),
  exemption: byLowerCase(terms.exemption),
}

/** A value that is no term of its property, as the book has it. */
export interface UnknownValue {
  property: string
  value: string
}

/** The terms that a book gives, as the vocabulary writes them, and its values that are no terms. */
export interface Terms {
  accessModes: ReadonlySet<string>
  /** Sets of modes that together suffice. */
  sufficient: readonly (readonly string[])[]
  features: ReadonlySet<string>
  hazards: ReadonlySet<string>
  exemptions: ReadonlySet<string>
  unknown: readonly UnknownValue[]
}

/** Reads the terms, in whatever case the book writes them. */
export function termsIn(metadata: AccessibilityMetadata): Terms {
  const unknown: UnknownValue[] = []
  const known = (property: Property, values: readonly string[], named: string = property): string[] =>
    values.flatMap(value => {
      const name = value.toLowerCase()
      const term = vocabulary[property].get((formerNames[name] ?? name).toLowerCase())
      if (term === undefined) unknown.push({ property: named, value })
      return term ?? []
    })
  return {
    accessModes: new Set(known('accessMode', metadata.accessMode)),
    sufficient: metadata.accessModeSufficient.map(set => known('accessMode', set, 'accessModeSufficient')),
    features: new Set(known('accessibilityFeature', metadata.accessibilityFeature)),
    hazards: new Set(known('accessibilityHazard', metadata.accessibilityHazard)),
    exemptions: new Set(known('exemption', metadata.exemption)),
    unknown,
  }
}
