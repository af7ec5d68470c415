import type { XmlError } from './xml.ts'
import type { EntryError } from './zip-entry.ts'

/** The documents of a book that are read, by the beginning of their problems' codes. */
export type DocumentName =
  | 'container'
  | 'package'
  | 'navigation'
  | 'options'
  | 'cover_page'
  | 'encryption'
  | 'signatures'

/** The codes of what can be wrong with each. */
export type DocumentProblem = `${DocumentName}_${Fault}`
type Fault = Ending<EntryError['code'], 'entry_'> | Ending<XmlError['code'], 'xml_'>
type Ending<Code extends string, Start extends string> = Code extends `${Start}${infer Rest}` ? Rest : never
