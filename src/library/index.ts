/**
 * pubctl as a library. What this file exports is public and follows semantic versioning, see docs/library.md; importing it
 * reads and opens nothing.
 */
export type {
  AccessibilityFacts,
  AccessibilityMetadata,
  ContentLook,
  PdfAccessibility,
} from '../books/accessibility-facts.ts'
export type {
  Book,
  BookCover,
  BookTitle,
  Creator,
  NavigationEntry,
  Problem,
  Severity,
} from '../books/book.ts'
export type { Inventory, SomeFiles } from '../books/inventory.ts'
export type { RightsFacts, WrittenValue } from '../books/rights-facts.ts'
export type { ChangeableFields, CreationFields } from '../plan/book-fields.ts'
export type { AcceptedDifference, Difference } from '../plan/difference.ts'
export type { SentValues } from '../plan/drift.ts'
export {
  type EarlierUpload,
  type FailedUpload,
  type InBatch,
  type Known,
  type KnownEdition,
  type KnownPublication,
  nothingKnown,
} from '../plan/known.ts'
export type { ProductStep, Proof, Step } from '../plan/step.ts'
export type { CatalogueRow, IfChanged, Origin, Wanted, WantedProduct } from '../plan/wanted.ts'
export type { PublicationType } from '../service/contract/publication-type.ts'
export type { CheckedBy } from '../system/checked-by.ts'
export {
  type ExitCode,
  exitCodes,
  Failure,
  type FailureDetail,
  NetworkFailure,
  ServiceFailure,
  UsageFailure,
} from '../system/errors.ts'
export type { Warning } from '../system/warning.ts'
export type { Outcome, Receipt, ReceiptError } from '../uploads/receipt.ts'
export type { BookFields } from './book-options.ts'
export type { BookSource, BookStream } from './book-source.ts'
export type { CallOptions, ListOptions } from './call-options.ts'
export { type Client, createClient } from './client.ts'
export type { ClientOptions } from './client-options.ts'
export { decide } from './decide.ts'
export { type InspectedBook, type InspectOptions, inspectBook } from './inspect-book.ts'
export type * from './service.ts'
export { type UploadOptions, type UploadProgress, uploadBook } from './upload-book.ts'
export { UploadFailure } from './upload-failure.ts'
