import type { ProblemCode } from '../hints.ts'
import type { Position } from '../position.ts'
import type { Reference } from './reference.ts'

/** What a content document needs, by the names of the manifest's properties; `svg-image` is a drawing in a file of its own. */
export type Use = 'mathml' | 'scripted' | 'svg' | 'svg-image' | 'switch' | 'remote-resources'

/** What was found in a content document. */
export interface ScannedDocument {
  error: { message: string; line: number; column: number } | undefined
  references: Reference[]
  /** Where each id stands: the number of its element, from 0. */
  ids: Map<string, number>
  /** The ids of elements that nobody can go to. */
  unshownIds: Set<string>
  /** What is wrong with its markup, besides that it is not well-formed. */
  faults: DocumentFault[]
  uses: Set<Use>
  /** Whether its references start from another address than its own, within the page. */
  hasBase: boolean
  /** The address that all its references start from, as it is written. */
  base: string | undefined
  /** What stands after `<!DOCTYPE`, to a limit. */
  doctype: string | undefined
  /** How large the page is, as its first `meta` says. */
  viewport: (Position & { content: string }) | undefined
  /** Whether a drawing in a file of its own has a view box. */
  isSized: boolean | undefined
  /** What its parts are (`epub:type`), to a limit. */
  semantics: Set<string>
  /** Whether a `nav` does not say what it is. */
  hasUntypedNav: boolean
  /** Whether it has a style of its own or of a file. */
  hasStyle: boolean
  /** Whether there is more in it than is read. */
  isCut: boolean
  /** How many words it has, how often it shows an image, and how often without saying what stands in its place. */
  words: number
  images: number
  unnamedImages: number
}

interface DocumentFault extends Position {
  code: ProblemCode
  message: string
}

/** What was found in a document in which nothing is. */
export const nothingFound = (): ScannedDocument => ({
  references: [],
  ids: new Map(),
  unshownIds: new Set(),
  semantics: new Set(),
  hasUntypedNav: false,
  faults: [],
  uses: new Set(),
  hasBase: false,
  hasStyle: false,
  isCut: false,
  words: 0,
  images: 0,
  unnamedImages: 0,
  // Objects that get these later would have other shapes, and what reads them would be compiled again.
  error: undefined,
  base: undefined,
  doctype: undefined,
  viewport: undefined,
  isSized: undefined,
})
