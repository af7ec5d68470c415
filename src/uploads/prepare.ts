import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type Book, checkType, type Problem } from '../books/index.ts'
import { compactIsbn } from '../books/isbn.ts'
import { placeText, sortBySeverity } from '../books/problems.ts'
import { isImagePath, type Overrides } from '../plan/book-fields.ts'
import { creationOf } from '../plan/creation.ts'
import { isbn13 } from '../plan/match.ts'
import type { UploadPlan } from '../plan/upload-plan.ts'
import type { PublicationType } from '../service/contract/publication-type.ts'
import { exitCodes, Failure, UsageFailure } from '../system/errors.ts'
import { given } from '../system/given.ts'
import { ownPath } from '../system/own-path.ts'
import type { Warning } from '../system/warning.ts'
import type { World } from '../system/world.ts'
import type { FileOptions } from './file-options.ts'
import type { OpenedChecks } from './opened-checks.ts'
import { coverFor } from './reading/cover.ts'
import { bookIn, type KeptFiles } from './reading/kept-files.ts'
import type { Hash, Read, Reading } from './reading/reading.ts'

export interface PrepareOptions extends OpenedChecks, Pick<World, 'mayRead'> {
  readonly read: Read
  /** Whether the file is hashed as it is read; without it, it is not. */
  readonly hash?: Hash | undefined
  /** Whether problems of the book stop it, and whether warnings do. */
  readonly check: 'off' | 'errors' | 'strict'
  /** The type that the user gives, where the name of the file says another. */
  readonly type?: PublicationType | undefined
  /** Called with problems that do not stop the book. */
  readonly onWarning: (warning: Warning) => void
  /** Asks for the title of a book that has none. */
  readonly askTitle: (path: string) => Promise<string>
}

/** A plan, and what was read for it. */
export interface Prepared {
  readonly plan: UploadPlan
  readonly files: KeptFiles
}

export const checkOf = ({ check, strict, type }: FileOptions): Pick<PrepareOptions, 'check' | 'type'> => ({
  check: check ? (strict ? 'strict' : 'errors') : 'off',
  type,
})

/** Reads a file and determines everything that is to be sent for it. */
export async function prepareUpload(
  path: string,
  overrides: Overrides,
  options: PrepareOptions,
): Promise<Prepared> {
  const choice = overrides.cover ?? 'auto'
  const reading = await options.read(path, options.mayRead, choice === 'auto', options.hash, {
    ...options.rules?.reads,
    sound: options.check === 'off' && options.type === 'Audio',
  })
  const { book, bytes, modified, sha256 } = reading
  const { warnings, checkedBy } = await checkBook(path, reading, overrides, options)
  warnings.forEach(options.onWarning)
  const cover = await coverFor(reading, choice, options.mayRead)
  const title = overrides.title ?? book.title ?? (await options.askTitle(path))
  const plan = {
    path,
    file: ownPath(path),
    bytes,
    modified,
    sha256,
    creation: creationOf(
      {
        uploadRequestId: randomUUID(),
        publicationFilename: basename(path),
        coverFilename: cover?.filename,
        type: book.type,
      },
      { ...ownFields(book), ...overrides, title },
    ),
    overrides,
    own: { title: book.title, authors: book.authors },
    ownIsbns: [book.isbn, compactIsbn(book.identifier ?? '')].flatMap(each => isbn13(each) ?? []),
    cover: isImagePath(choice) ? ownPath(choice) : choice,
    coverBytes: cover?.content.length,
    warnings,
    checkedBy,
  }
  return { plan, files: { cover, book: bookIn(reading) } }
}

/** The failure for a book without a title, if the user cannot be asked. */
export const noTitle = (path: string, hint: string): UsageFailure =>
  new UsageFailure(`${path} has no title`, { code: 'no_title', hint })

export async function noTitleInBatch(path: string): Promise<never> {
  throw noTitle(path, 'Give it one in a sheet with --manifest.')
}

/** The file's own metadata, by the names of the fields. */
const ownFields = ({ authors, isbn, publisher, language }: Book): Overrides => ({
  author: [...authors],
  ...given({ isbn, publisher, language }),
})

/** Throws Failure `book_unfit` if a book has problems that stop it; returns the others, and who else has checked it. */
export async function checkBook(
  path: string,
  { book, bytes }: Reading,
  { isbn, title }: Overrides,
  { check, type, rules, epubCheck }: Pick<PrepareOptions, 'check' | 'type' | keyof OpenedChecks>,
): Promise<Pick<UploadPlan, 'warnings' | 'checkedBy'>> {
  if (check === 'off') return { warnings: [] }
  const own = [...checkType(path, book, type), ...book.problems]
  const checked = await epubCheck?.(path, { ...book, problems: own })
  const found = checked ? sortBySeverity(checked.problems) : own
  const { checkedBy } = checked ?? {}
  const record = isbn === undefined && title === undefined ? undefined : given({ isbn, title })
  const judged = rules?.judge({ file: path, bytes, book, problems: found, record, checkedBy })
  const problems = (judged ?? found).filter(isShown)
  const grave = problems.filter(
    ({ severity }) => severity === 'error' || (check === 'strict' && severity === 'warning'),
  )
  if (grave.length === 0) {
    const warnings = problems.map(problem => {
      const { code, message, hint } = problem
      const place = placeText(problem)
      return { code, message: `${path}: ${place ? `${place}: ` : ''}${message}`, hint }
    })
    return { warnings, checkedBy }
  }
  throw new Failure(
    `${path} has ${grave.length === 1 ? 'a problem' : `${grave.length} problems`}, so it was not sent`,
    {
      code: 'book_unfit',
      exitCode: exitCodes.usage,
      checkedBy,
      hint: `Mend it, or send it as it is with ${check === 'strict' ? '--no-check or without --strict' : '--no-check'}.`,
      details: grave.map(({ message, place, column, code, hint }) => ({
        message,
        code,
        ...(hint === undefined ? {} : { hint }),
        ...(place === undefined ? {} : { path: [placeText({ place, column }) ?? place] }),
      })),
    },
  )
}

/** Information is for who inspects a book, but for what was not asked of it. */
const isShown = ({ severity, code }: Problem): boolean =>
  severity !== 'information' || ruleRemarks.includes(code)

const ruleRemarks = [
  ...['rule_not_applied', 'rules_partial', 'waiver_ended'],
  ...['baseline_known', 'baseline_gone'],
]
