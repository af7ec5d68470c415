import * as z from 'zod/mini'
import type { Context } from '../cli/context.ts'
import { neutraliseJson } from '../cli/output/neutralise.ts'
import type { AcceptedDifference } from '../plan/difference.ts'
import { inEnglish } from '../service/contract/zod-parts.ts'
import { addTo } from '../system/add-to.ts'
import { counted } from '../system/counted.ts'
import { UsageFailure } from '../system/errors.ts'
import { parseExactly, serialise } from '../system/exact-json.ts'
import type { MayRead } from '../system/may-read.ts'
import { openFile } from '../system/open-file.ts'
import { readLines } from '../system/read-lines.ts'
import { writeLines } from '../system/write-file.ts'

/** A line of the file of accepted differences: the difference, and by what people know its book. */
export interface AcceptedLine extends AcceptedDifference {
  readonly key: string | null
  readonly title: string | null
}

/** The accepted differences, while a plan is made. */
export interface AcceptedDifferences {
  readonly lines: readonly AcceptedLine[]
  /** Those of a publication. */
  of(publicationId: string): readonly AcceptedDifference[]
  /** Those that were found. */
  readonly found: Set<AcceptedDifference>
}

const text = () => z.nullable(z.string())
const Line = z.object({
  ...{ key: text(), title: text(), publicationId: z.string(), field: z.string() },
  ...{ there: z.nonoptional(z.unknown()), wanted: z.nonoptional(z.unknown()) },
})

/** The longest line in bytes; two descriptions fit. */
const longestLine = 16 * 1024 * 1024

/** Reads a file of accepted differences. Throws UsageFailure `bad_accepted` if a line is none. */
export async function openAccepted(path: string, mayRead: MayRead): Promise<AcceptedDifferences> {
  const file = await openFile(path, mayRead)
  const lines: AcceptedLine[] = []
  try {
    for await (const { bytes, number } of readLines(file.read, longestLine)) {
      const line = bytes === undefined ? undefined : bytes.toString('utf8').trim()
      if (line === '') continue
      lines.push(lineOf(line, path, number))
    }
  } finally {
    await file.close()
  }
  const byId = new Map<string, AcceptedLine[]>()
  for (const line of lines) addTo(byId, line.publicationId, line)
  return { lines, of: id => byId.get(id) ?? [], found: new Set() }
}

function lineOf(line: string | undefined, path: string, number: number): AcceptedLine {
  let value: unknown
  try {
    value = parseExactly(line ?? '')
  } catch {
    throw badLine(path, number, 'it is not JSON')
  }
  const { success, error } = z.safeParse(Line, value, inEnglish)
  // The value itself is used, because numbers in it can be larger than the schema would keep.
  if (success) return value as AcceptedLine
  const [issue] = error.issues
  throw badLine(path, number, `${issue?.path.join('.')}: ${issue?.message}`)
}

const badLine = (path: string, line: number, fault: string): UsageFailure =>
  new UsageFailure(`line ${line} of ${path} is no accepted difference: ${fault}`, {
    code: 'bad_accepted',
    hint: 'Delete the line, and accept the difference again with: pubctl catalogue accept <plan> --only <isbn>',
  })

/** Writes accepted differences, a line each, sorted so that versions of the file can be compared. */
export function writeAccepted(path: string, lines: readonly AcceptedLine[]): void {
  const sorted = lines
    .map(line => ({ line, by: [line.key ?? '', line.publicationId, line.field].join('\n') }))
    .sort((one, other) => (one.by < other.by ? -1 : 1))
  const texts = sorted.map(({ line }) => neutraliseJson(`${serialise(line)}\n`))
  writeLines(path, texts, { isPrivate: false, isDurable: true })
}

/** Says how many differences were found that are kept as known, and which lines do not hold any more. */
export async function tellAccepted(
  context: Context,
  path: string | undefined,
  accepted: AcceptedDifferences | undefined,
): Promise<void> {
  if (path === undefined || accepted === undefined) return
  const { lines, found } = accepted
  if (found.size > 0)
    await context.note(`${counted(found.size, 'difference is', 'differences are')} accepted in ${path}.`)
  const lapsed = lines.filter(line => !found.has(line))
  if (lapsed.length === 0) return
  const named = lapsed
    .slice(0, 3)
    .map(({ key, publicationId, field }) => `${field} of ${key ?? publicationId}`)
  const more = lapsed.length > named.length ? ` and ${lapsed.length - named.length} more` : ''
  await context.note(
    `Not found any more of ${path}: ${named.join(', ')}${more}. Their values changed, or their books were not compared; what changed is in the plan.`,
  )
}
