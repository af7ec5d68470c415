/** The accessibility metadata of a book, as it is written, under the names of the properties. */
export interface AccessibilityMetadata {
  accessMode: string[]
  /** Each value is a set of modes that together suffice. */
  accessModeSufficient: string[][]
  accessibilityFeature: string[]
  accessibilityHazard: string[]
  accessibilitySummary: string[]
  conformsTo: string[]
  certifiedBy: string[]
  certifierCredential: string[]
  /** Addresses of reports. */
  certifierReport: string[]
  certificationDate: string[]
  exemption: string[]
}

/** What a look into the content of an EPUB found. It is limited, so the counts may be too low. */
export interface ContentLook {
  /** Content documents that were looked at. */
  documents: number
  /** Content documents that were not looked at: more than the limits allow, encrypted, or unreadable. */
  unseenDocuments: number
  /** `img` elements. */
  images: number
  /** Of these, those without alternative text that are not marked as decoration either. */
  imagesWithoutAlt: number
  /** Where the first of them is, such as `EPUB/one.xhtml:12`. */
  firstWithoutAlt?: string
  hasPageList: boolean
  hasMediaOverlays: boolean
}

/** What a PDF says of its own accessibility. */
export interface PdfAccessibility {
  /** Whether its catalog says so. */
  isTagged: boolean
  /** The language in its catalog, which is the one that a screen reader goes by. */
  language?: string
  /** Whether a viewer shows the title in place of the file name. */
  showsTitle: boolean
  /** The part of PDF/UA (ISO 14289) that it says it follows, such as `1`. */
  pdfUaPart?: string
}

/** What a book says of its accessibility, and what is known of its content. */
export interface AccessibilityFacts {
  metadata: AccessibilityMetadata
  content?: ContentLook
  pdf?: PdfAccessibility
}

/** Metadata that says nothing. */
export const emptyAccessibilityMetadata = (): AccessibilityMetadata => ({
  accessMode: [],
  accessModeSufficient: [],
  accessibilityFeature: [],
  accessibilityHazard: [],
  accessibilitySummary: [],
  conformsTo: [],
  certifiedBy: [],
  certifierCredential: [],
  certifierReport: [],
  certificationDate: [],
  exemption: [],
})

/** The modes of an `accessModeSufficient`, which are in one text with commas between them. */
export const modesIn = (text: string): string[] =>
  text.split(',').flatMap(mode => (mode.trim() === '' ? [] : [mode.trim()]))
