import { type AccessibilityFacts, emptyAccessibilityMetadata } from '../accessibility-facts.ts'
import type { PdfFacts } from './facts.ts'

/** What a PDF says of its accessibility. */
export function accessibilityOfPdf({ isTagged, showsTitle, language, xmp }: PdfFacts): AccessibilityFacts {
  const pdfUaPart = pdfUaPartIn(xmp ?? '')
  return {
    metadata: emptyAccessibilityMetadata(),
    pdf: {
      isTagged,
      ...(language && { language }),
      showsTitle,
      ...(pdfUaPart !== undefined && { pdfUaPart }),
    },
  }
}

/**
 * The part of PDF/UA in a metadata stream, as an element or as an attribute. Its prefix is always this one, and without the
 * prefix the name is that of PDF/A's part as well.
 */
export const pdfUaPartIn = (xmp: string): string | undefined => {
  const [, attribute, element] =
    /\bpdfuaid:part(?:\s{0,20}=\s{0,20}["'](\d{1,3})["']|>\s{0,20}(\d{1,3})\s{0,20}<)/.exec(xmp) ?? []
  return attribute ?? element
}
