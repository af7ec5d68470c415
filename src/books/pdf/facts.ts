/** What the process that reads PDFs is asked. */
export interface PdfQuestion {
  readonly path: string
  readonly wantsOutline: boolean
}

export interface PdfOutlineItem {
  title: string
  depth: number
}

/** What pdf.js finds in a document; texts are as its Info dictionary and its catalog have them. */
export interface PdfFacts {
  pages: number
  title?: string
  author?: string
  subject?: string
  language?: string
  /** Encrypted, and yet it opens without a password. */
  isEncrypted: boolean
  /** What readers may not do with it, in words. */
  forbidden: string[]
  /** Set if what is attached is encrypted, and the document itself is not. */
  hasEncryptedAttachments?: true
  /** Whether it says that its content is tagged. */
  isTagged: boolean
  /** Whether a viewer is to show the title in place of the file name. */
  showsTitle: boolean
  /** The metadata stream, as XML. */
  xmp?: string
  /** Empty if it was not asked for. */
  outline: PdfOutlineItem[]
}
