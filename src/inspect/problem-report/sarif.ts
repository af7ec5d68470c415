import { isAbsolute, normalize, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Problem } from '../../books/book.ts'
import { placeText } from '../../books/problems.ts'
import { neutraliseJson } from '../../cli/output/neutralise.ts'
import { checkedByText } from '../../system/checked-by.ts'
import { given } from '../../system/given.ts'
import type { About } from '../about.ts'
import type { CheckedRow } from './rows.ts'

const levels = { error: 'error', warning: 'warning', information: 'note' } as const

/**
 * SARIF 2.1.0 of OASIS, which code hosts show at the files. A problem is at its book, since they show no lines within an archive;
 * the place in the book is part of its text, its logical location, and a related one within the archive.
 */
export function checkedSarif(rows: readonly CheckedRow[], { program }: About): string {
  const [name = 'pubctl', version = ''] = program.split(' ')
  const rules = new Map<string, number>()
  const ruleIndexOf = (code: string): number => {
    const index = rules.get(code) ?? rules.size
    rules.set(code, index)
    return index
  }
  const hasKnown = rows.some(({ problems }) => problems.some(({ known }) => known))
  const artifacts = createArtifacts()
  const resultOf = (file: string, { severity, code, message, place, column, hint, known }: Problem) => ({
    ruleId: code,
    ruleIndex: ruleIndexOf(code),
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
    ...given({ relatedLocations: artifacts.within(file, place, column) }),
    // Either all results say whether they are suppressed, or none does.
    ...(hasKnown && { suppressions: known ? [{ kind: 'external' }] : [] }),
  })
  const results = rows.flatMap(({ file, problems, error }) =>
    (error ? [{ severity: 'error', ...error } as const] : problems).map(problem => resultOf(file, problem)),
  )
  const driver = {
    name,
    version,
    rules: [...rules.keys()].map(id => ({ id })),
  }
  // Each program once, in the versions that ran.
  const checkers = new Map(
    rows
      .flatMap(({ checkedBy = [] }) => checkedBy)
      .map(by => [
        checkedByText(by),
        { name: by.name, ...given({ version: by.version }), fullName: checkedByText(by) },
      ]),
  )
  const extensions = [...checkers.values()]
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver, ...given({ extensions }) },
        columnKind: 'utf16CodeUnits',
        ...given({ artifacts: artifacts.all }),
        results,
      },
    ],
  }
  return `${neutraliseJson(JSON.stringify(log))}\n`
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

/** A path as a reference: relative where it was given so, and then a code host finds it in the checkout. */
function addressOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return encodedPath(normalize(file).split(sep))
}

const encodedPath = (parts: readonly string[]): string =>
  parts.map(part => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd'))).join('/')
