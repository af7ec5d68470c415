import { countedActions, type PlanAction, planActions } from '../../plan/actions.ts'
import { isImagePath } from '../../plan/book-fields.ts'
import { checkHeader, checkStep } from '../../plan/plan-contract.ts'
import type { PlanHeader, PlanStep } from '../../plan/plan-step.ts'
import { UsageFailure, withHint } from '../../system/errors.ts'
import { parseExactly } from '../../system/exact-json.ts'
import { type MayRead, outsideRoot } from '../../system/may-read.ts'
import { type OpenFile, openFile } from '../../system/open-file.ts'
import { readLines } from '../../system/read-lines.ts'

/** A step of a plan, without what is large. */
interface PlannedStep
  extends Pick<PlanStep, 'action' | 'key' | 'file' | 'cover' | 'bytes' | 'publicationId'> {
  /** The whole step, from the file. */
  read(): Promise<PlanStep>
}

/** A plan file that was checked. Its steps stay in the file until they are read. */
export interface OpenPlan {
  readonly header: PlanHeader
  /** The steps that have receipts; the others are only counted in the header. */
  readonly steps: readonly PlannedStep[]
  close(): Promise<void>
}

/** The longest line of a plan in bytes; the service takes no description that comes near it. */
const longestLine = 16 * 1024 * 1024

/**
 * Opens a plan file and checks every line of it, and whether the files of its steps may be read. Throws UsageFailure `bad_plan` if it is not a whole, undamaged plan,
 * `file_unreadable` if it cannot be read, and `outside_root` for a file that may not be.
 */
export async function openPlan(path: string, mayRead: MayRead): Promise<OpenPlan> {
  const file = await openFile(path, mayRead).catch(error => {
    throw error instanceof UsageFailure ? withHint(error, makeOne) : error
  })
  try {
    return { ...(await readAll(path, mayRead, file)), close: file.close }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAll(
  path: string,
  mayRead: MayRead,
  file: OpenFile,
): Promise<Pick<OpenPlan, 'header' | 'steps'>> {
  let header: PlanHeader | undefined
  const steps: PlannedStep[] = []
  const counts: { [action in PlanAction]?: number } = {}
  const ids = new Map<string, number>()
  let last = 0
  for await (const { bytes, number, offset } of readLines(file.read, longestLine)) {
    last = number
    if (bytes === undefined) throw badPlan(path, number, 'the line is too long')
    const value = parse(bytes, path, number)
    if (header === undefined) {
      header = checked(checkHeader(value), path, number)
      continue
    }
    const step = checkedStep(value, path, number, mayRead)
    counts[step.action] = (counts[step.action] ?? 0) + 1
    if (countedActions.includes(step.action)) continue
    const { action, key, publicationId, uploadRequestId } = step
    const other = uploadRequestId === null ? undefined : ids.get(uploadRequestId)
    if (other !== undefined) throw badPlan(path, number, `it has the upload request of line ${other}`)
    if (uploadRequestId !== null) ids.set(uploadRequestId, number)
    const place = { number, offset, length: bytes.length }
    steps.push({
      ...{ action, key, publicationId, file: step.file, cover: step.cover, bytes: step.bytes },
      read: () => readStep(path, mayRead, file, place),
    })
  }
  if (header === undefined) throw badPlan(path, 1, 'the file is empty')
  for (const action of planActions) {
    const [promised, found] = [header.counts[action] ?? 0, counts[action] ?? 0]
    if (promised !== found)
      throw badPlan(path, last, `the plan ends with ${found} of ${promised} steps "${action}"`)
  }
  return { header, steps }
}

async function readStep(
  path: string,
  mayRead: MayRead,
  file: OpenFile,
  { number, offset, length }: { number: number; offset: number; length: number },
): Promise<PlanStep> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, offset)
  return checkedStep(parse(bytes, path, number), path, number, mayRead)
}

function checkedStep(value: unknown, path: string, number: number, mayRead: MayRead): PlanStep {
  const step = checked(checkStep(value), path, number)
  for (const named of [step.file, isImagePath(step.cover) ? step.cover : null])
    if (named !== null && !mayRead(named)) throw barred(path, number, named)
  return step
}

const barred = (path: string, line: number, file: string): UsageFailure =>
  outsideRoot(`line ${line} of ${path} names ${file}, which is not in the folder that may be read`)

function parse(bytes: Buffer, path: string, line: number): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badPlan(path, line, 'it is not JSON')
  }
}

function checked<T>(result: { value: T } | { fault: string }, path: string, line: number): T {
  if ('value' in result) return result.value
  throw badPlan(path, line, result.fault)
}

const badPlan = (path: string, line: number, fault: string): UsageFailure =>
  new UsageFailure(`${path} is not a plan, or is damaged: line ${line}: ${fault}`, {
    code: 'bad_plan',
    hint: `Nothing was sent. ${makeOne}`,
  })

const makeOne = 'Make a plan, such as: pubctl catalogue plan books.csv --out plan.ndjson'
