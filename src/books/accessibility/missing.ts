import type { AccessibilityFacts, AccessibilityMetadata } from '../accessibility-facts.ts'
import type { Book } from '../book.ts'
import { claimIn, unknownClaimsIn } from './conformance.ts'

/** Something that a book should say of its accessibility and does not. */
export interface Missing {
  property: string
  /** Whether the standard requires it or recommends it. */
  level: 'required' | 'recommended'
  /** One sentence for a person. */
  message: string
}

const inMetadata: readonly (readonly [keyof AccessibilityMetadata, Missing['level'], string])[] = [
  ['accessMode', 'required', 'It does not say by which senses its content is perceived.'],
  ['accessibilityFeature', 'required', 'It does not say which accessibility features it has.'],
  ['accessibilityHazard', 'required', 'It does not say whether it has hazards, such as flashing.'],
  ['accessModeSufficient', 'recommended', 'It does not say which senses suffice to read it.'],
  ['accessibilitySummary', 'recommended', 'It has no summary of its accessibility for people.'],
]

/** What EPUB Accessibility 1.2 asks otherwise than 1.1 (https://www.w3.org/TR/epub-a11y-12/), where a book claims to meet it. */
const in12: { readonly [property in keyof AccessibilityMetadata]?: Missing['level'] } = {
  accessMode: 'recommended',
  accessModeSufficient: 'required',
}

/**
 * What is missing: of an EPUB, what EPUB Accessibility 1.1 requires and recommends
 * (https://www.w3.org/TR/epub-a11y-11/#sec-disc-package), or 1.2 if it claims to meet that; of an audiobook, the same properties without those of conformance;
 * of a PDF, what PDF/UA (ISO 14289-1) asks of its catalog.
 */
export function missingFrom({ metadata, pdf }: AccessibilityFacts, { type, title }: Book): Missing[] {
  if (pdf) {
    return [
      !pdf.isTagged &&
        missing(
          'tags',
          'required',
          'The PDF is not tagged, so its reading order and headings are not known.',
        ),
      !pdf.language && missing('language', 'required', 'The PDF does not say its language.'),
      !title && missing('title', 'required', 'The PDF has no title in its metadata.'),
      !pdf.showsTitle &&
        missing('displayDocTitle', 'required', 'A viewer shows the name of the file in place of the title.'),
      pdf.pdfUaPart === undefined &&
        missing('pdfuaid', 'recommended', 'The PDF does not say that it meets PDF/UA.'),
    ].filter(each => each !== false)
  }
  const levels = claimIn(metadata.conformsTo)?.epubAccessibility === '1.2' ? in12 : {}
  const absent = inMetadata.flatMap(([property, level, message]) =>
    metadata[property].length > 0 ? [] : missing(property, levels[property] ?? level, message),
  )
  if (type !== 'EPUB') return absent
  const isClaimed = claimIn(metadata.conformsTo) || unknownClaimsIn(metadata.conformsTo).length > 0
  if (!isClaimed) {
    // A book that conforms to nothing says so with "none".
    return metadata.conformsTo.some(text => text.toLowerCase() === 'none')
      ? absent
      : [
          ...absent,
          missing('conformsTo', 'recommended', 'It does not say which accessibility standard it meets.'),
        ]
  }
  return metadata.certifiedBy.length > 0
    ? absent
    : [...absent, missing('certifiedBy', 'required', 'It does not say who evaluated its conformance.')]
}

const missing = (property: string, level: Missing['level'], message: string): Missing => ({
  property,
  level,
  message,
})
