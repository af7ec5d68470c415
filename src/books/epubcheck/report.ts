import { basename } from 'node:path'
import type { Problem } from '../book.ts'
import { listAt, textAt } from '../checker-report.ts'

/** A message of EPUBCheck, with where it was found. */
export interface EpubCheckMessage {
  readonly severity: Problem['severity']
  /** Such as `RSC-007`. */
  readonly id: string
  readonly message: string
  readonly suggestion: string
  readonly places: readonly FindingPlace[]
  /** How many places there are that the report does not name. */
  readonly unnamed: number
}

export interface FindingPlace {
  /** The entry of the zip; empty for the whole file. */
  readonly path: string
  /** 0 where none is known. */
  readonly line: number
  /** The same of the column. */
  readonly column: number
}

const severities: Readonly<Record<string, Problem['severity']>> = {
  FATAL: 'error',
  ERROR: 'error',
  WARNING: 'warning',
  INFO: 'information',
}

/** The messages of a report of EPUBCheck; hints on usage, and what is suppressed, are left out. */
export const findingsIn = (report: unknown, file: string): EpubCheckMessage[] =>
  listAt(report, 'messages').flatMap(message => {
    const severity = severities[textAt(message, 'severity')]
    if (severity === undefined) return []
    const places = listAt(message, 'locations').map(location => ({
      path: entryOf(textAt(location, 'path'), file),
      line: Math.max(0, Number(textAt(location, 'line')) || 0),
      column: Math.max(0, Number(textAt(location, 'column')) || 0),
    }))
    return {
      severity,
      id: textAt(message, 'ID'),
      message: textAt(message, 'message'),
      suggestion: textAt(message, 'suggestion'),
      places: places.length > 0 ? places : [{ path: '', line: 0, column: 0 }],
      unnamed: Number(textAt(message, 'additionalLocations') || 0),
    }
  })

/** A problem of the whole file is at no entry. */
const entryOf = (path: string, file: string): string =>
  basename(path) === basename(file) || /\.epub$/i.test(path) ? '' : path

/** The version that a report says it is of; empty if it says none. */
export const versionIn = (report: unknown): string => textAt(report, 'checker', 'checkerVersion')
