// Annotations for what went wrong with books.
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { annotate } from './commands.js'

/** How many annotations of a kind GitHub shows for a step. */
const most = 10

const good = ['uploaded', 'updated', 'skipped']
const undecided = ['blocked', 'conflict', 'no-file', 'broken']

/** Annotates the books whose receipts say that they failed; whether there is one. What is left to people is a warning. */
export function annotateReceipts(path) {
  if (!existsSync(path)) return false
  const failed = valuesIn(path).filter(
    ({ outcome, error }) => outcome !== undefined && (error !== null || !good.includes(outcome)),
  )
  const messageOf = ({ error, why, outcome }) => error?.message ?? why ?? outcome
  const places = failed.map(each => ({
    ...placeOf(each.file),
    outcome: each.outcome,
    message: `${nameOf(each)}: ${messageOf(each)}`,
  }))
  tell(
    'warning',
    places.filter(({ outcome }) => outcome === 'conflict'),
  )
  tell(
    'error',
    places.filter(({ outcome }) => outcome !== 'conflict'),
  )
  return failed.length > 0
}

/** Annotates the sources of a plan with what somebody has to settle; whether a row cannot be used. */
export function annotateSteps(path) {
  const steps = valuesIn(path).filter(({ action }) => undecided.includes(action))
  const places = steps.map(step => ({
    ...placeOf(step.from?.sheet ?? step.from?.onix ?? null, step.from?.line),
    action: step.action,
    message: `${step.title ?? step.key ?? 'A book'}${step.from?.row ? ` (${step.from.row})` : ''}: ${step.why}`,
  }))
  tell(
    'warning',
    places.filter(({ action }) => action !== 'broken'),
  )
  tell(
    'error',
    places.filter(({ action }) => action === 'broken'),
  )
  return steps.some(({ action }) => action === 'broken')
}

/** The failure in JSON on standard error, if there is one. */
const failureIn = stderr =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{"error"'))
    .map(line => JSON.parse(line).error)
    .at(-1)

/** Annotates the books that a failure in JSON on standard error names; whether there is one. `files` are those that were named. */
export function annotateFailures(stderr, files) {
  const error = failureIn(stderr)
  if (error === undefined) return false
  const details =
    error.details?.length > 0 ? error.details : [{ message: error.message, path: files.slice(0, 1) }]
  tell(
    'error',
    details.map(({ message, path }) => ({ ...placeOf(path?.[0] ?? null), message })),
  )
  return true
}

/** Annotates the errors of books that were inspected, and what is no book; whether there is one. */
export function annotateBooks(stdout, stderr, files) {
  const errors = valuesOf(stdout).flatMap(({ file, problems }) =>
    problems
      .filter(({ severity }) => severity === 'error')
      .map(({ place, message }) => ({ ...placeOf(file), message: place ? `${place}: ${message}` : message })),
  )
  tell('error', errors)
  // The failure counts the books whose errors were told, and names those that could not be read.
  const isTold = errors.length > 0 && !failureIn(stderr)?.details?.length
  return isTold || annotateFailures(stderr, files)
}

const nameOf = ({ file, key, publicationId }) =>
  file === null ? (key ?? publicationId ?? 'A book') : basename(file)

/** Makes annotations; the last one that GitHub shows counts those that it would not. */
function tell(kind, places) {
  const shown = places.length > most ? places.slice(0, most - 1) : places
  for (const { message, file, line } of shown) annotate(kind, message, { title: 'pubctl', file, line })
  const left = places.length - shown.length
  if (left > 0)
    annotate(kind, `${left} more: the job summary and the receipts name them`, { title: 'pubctl' })
}

/** Where an annotation belongs: the path of a file from the root of the repository, if it is in there. */
function placeOf(file, line) {
  if (typeof file !== 'string') return { file: undefined, line: undefined }
  const path = relative(process.env.GITHUB_WORKSPACE ?? '.', resolve(file)).replaceAll('\\', '/')
  return path.startsWith('../') || path === '' ? { file: undefined, line: undefined } : { file: path, line }
}

const valuesIn = path => valuesOf(readFileSync(path, 'utf8'))

const valuesOf = text =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
