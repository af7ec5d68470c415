import type * as z from 'zod/mini'
import type { CheckedBy } from '../../system/checked-by.ts'
import type { Problem, ReadBook, ReadOptions } from '../book.ts'
import type { RuleParameter } from './parameters.ts'

/** What a feed or sheet says of a book. */
export interface RecordOfBook {
  readonly isbn?: string | undefined
  readonly title?: string | undefined
}

/** What a rule is asked about. */
export interface JudgedBook {
  /** The path of the book's file, and its size. */
  readonly file: string
  readonly bytes: number
  readonly book: ReadBook
  /** Its record in the feed or sheet that was given, null if that has none; undefined if none was given. */
  readonly record?: RecordOfBook | null | undefined
  /** What the preflight found. */
  readonly problems: readonly Problem[]
  /** Who else has checked it. */
  readonly checkedBy?: readonly CheckedBy[] | undefined
}

/** Where a book is against a rule, in a sentence. */
export interface RuleFault {
  readonly message: string
  readonly place?: string
  /** In the line of the place, from 1. */
  readonly column?: number
}

type Parameters = Readonly<Record<string, RuleParameter<unknown>>>

type Values<P extends Parameters> = { readonly [name in keyof P]?: z.infer<P[name]['schema']> | undefined }

/** A thing that rules can ask of a book. */
export interface Predicate {
  /** What it is about, as a sentence for the docs. */
  readonly says: string
  /** What is read of a book besides its metadata. */
  readonly needs: keyof ReadOptions | 'metadata'
  readonly parameters: Parameters
  /** The parameters without which it asks nothing. */
  readonly required: readonly string[]
  /** What is to be done about its faults, where the rule has no hint. */
  readonly hint: string
  /** Where the book is against it; undefined if that cannot be known of the book. */
  readonly faults: (subject: JudgedBook, values: never) => RuleFault[] | undefined
}

/** Declares a predicate; the values of its function have the types of its parameters. */
export const predicate = <P extends Parameters>(declared: {
  says: string
  needs: Predicate['needs']
  parameters: P
  required?: readonly (keyof P & string)[]
  hint: string
  faults: (subject: JudgedBook, values: Values<P>) => RuleFault[] | undefined
}): Predicate => ({ required: [], ...declared }) as Predicate
