import { createHash } from 'node:crypto'
import { basename, isAbsolute, normalize, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from '../../books/book.ts'
import { placeText } from '../../books/problems.ts'
import type { RuleSource } from '../../books/rules/index.ts'
import { neutraliseJson } from '../../cli/output/neutralise.ts'
import { given } from '../../system/given.ts'
import { ownPath } from '../../system/own-path.ts'
import type { About } from '../about.ts'
import type { CheckedRow } from './rows.ts'
import { createTool } from './sarif-components.ts'

const levels = { error: 'error', warning: 'warning', information: 'note' } as const

/**
 * SARIF 2.1.0 of OASIS, which code hosts show at the files. A problem is at its book, since they show no lines within an archive;
 * the place in the book is part of its text, its logical location, and a related one within the archive.
 */
export function checkedSarif(
  rows: readonly CheckedRow[],
  { program }: About,
  sources: ReadonlyMap<string, RuleSource> = new Map(),
): string {
  const [name = 'pubctl', version = ''] = program.split(' ')
  const tool = createTool({ name, version }, sources)
  for (const { checkedBy = [] } of rows) checkedBy.forEach(tool.checkedBy)
  const hasKnown = rows.some(({ problems }) => problems.some(({ known }) => known))
  const artifacts = createArtifacts()
  const fingerprints = createFingerprints()
  const resultOf = ({ file, checkedBy = [] }: CheckedRow, problem: Problem) => {
    const { severity, message, place, column, hint, known } = problem
    return {
      ...tool.ruleOf(problem, checkedBy),
      level: levels[known ?? severity],
      message: {
        text: `${place === undefined ? '' : `${placeText({ place, column })}: `}${message}${hint === undefined ? '' : ` ${hint}`}`,
      },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: addressOf(file) } },
          ...(place !== undefined && { logicalLocations: [{ fullyQualifiedName: place, kind: 'resource' }] }),
        },
      ],
      partialFingerprints: { primaryLocationLineHash: fingerprints.of(file, problem) },
      ...given({ relatedLocations: artifacts.within(file, place, column) }),
      // Either all results say whether they are suppressed, or none does.
      ...(hasKnown && { suppressions: known ? [{ kind: 'external' }] : [] }),
    }
  }
  const results = rows.flatMap(row =>
    (row.error ? [{ severity: 'error', ...row.error } as const] : row.problems).map(each =>
      resultOf(row, each),
    ),
  )
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: tool.tool,
        columnKind: 'utf16CodeUnits',
        ...given({ artifacts: artifacts.all }),
        results,
      },
    ],
  }
  return `${neutraliseJson(JSON.stringify(log))}\n`
}

/**
 * What a problem is known by from one report to the next, wherever its line moves: code hosts compute that from the text of a file, and
 * a book is none.
 */
function createFingerprints() {
  const counts = new Map<string, number>()
  return {
    of(file: string, { code, message, place = '' }: Problem): string {
      const entry = place.replace(/:\d+$/, '')
      const hash = createHash('sha256')
        .update(JSON.stringify([basename(file), code, entry, message]))
        .digest('hex')
        .slice(0, 16)
      const count = (counts.get(hash) ?? 0) + 1
      counts.set(hash, count)
      return `${hash}:${count}`
    },
  }
}

/** The books and the files in them that have places with lines. A file in a book names the book as its parent. */
function createArtifacts() {
  const indexes = new Map<string, number>()
  const all: object[] = []
  const indexOf = (key: string, artifact: object): number => {
    const index = indexes.get(key) ?? all.length
    if (index === all.length) all.push(artifact)
    indexes.set(key, index)
    return index
  }
  return {
    all,
    /** The place of a problem within its book, if its line is known. */
    within(file: string, place: string | undefined, column: number | undefined): object[] {
      const [, entry = '', line] = /^(.*):(\d+)$/s.exec(place ?? '') ?? []
      if (line === undefined) return []
      const uri = encodedPath(entry.split('/'))
      const parentIndex = indexOf(file, { location: { uri: addressOf(file) } })
      const index = indexOf(`${file}\n${entry}`, { location: { uri }, parentIndex })
      const region = { startLine: Number(line), ...(column !== undefined && { startColumn: column }) }
      return [{ physicalLocation: { artifactLocation: { uri, index }, region } }]
    },
  }
}

/** A path as a reference: relative to this folder where it is within it, so that a code host finds it in the checkout. */
function addressOf(file: string): string {
  const path = isAbsolute(file) ? relative(ownPath('.'), file) : normalize(file)
  const isWithin = !isAbsolute(path) && path.split(sep)[0] !== '..'
  return isWithin ? encodedPath(path.split(sep)) : pathToFileURL(file).href
}

const encodedPath = (parts: readonly string[]): string =>
  parts.map(part => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd'))).join('/')
