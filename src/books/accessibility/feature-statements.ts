import type { Terms } from './vocabulary.ts'

type Table = readonly (readonly [feature: string, statement: string])[]

const said =
  (table: Table) =>
  ({ features }: Terms): string[] =>
    table.flatMap(([feature, statement]) => (features.has(feature) ? statement : []))

/** The statements of the section "Navigation". */
export const navigation = said([
  ['pageNavigation', 'Go to page'],
  ['structuralNavigation', 'Headings'],
  ['index', 'Index'],
  ['tableOfContents', 'Table of contents'],
])

/** The statements of the section "Rich content". */
export const richContent = said([
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
export const additional = said([
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
