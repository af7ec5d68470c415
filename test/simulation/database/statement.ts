import type { Row, View } from './tables.ts'

/** A statement that pubctl or the library of its queue sends, and what PostgreSQL answers. */
export interface Statement {
  /** What it is called in a trace. */
  readonly name: string
  /** How it begins, with one space where it has any. */
  readonly begins: string
  answer(view: View, values: readonly unknown[], sql: string): Row[]
}

/** The values of an array, in the place of an array that may not be there. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A row that may not be there, among rows. */
export const orNone = (row: Row | undefined): Row[] => (row ? [row] : [])

export const counted = (rows: readonly unknown[]): Row[] => [{ count: rows.length }]

/** Some columns of a row. */
export const only = (row: Row, ...columns: readonly string[]): Row =>
  Object.fromEntries(columns.map(column => [column, row[column]]))

/** A time so many milliseconds later. */
export const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds)
