import { resolve } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { parseIsbn } from '../../books/isbn.ts'
import { parseCount, parseUuid } from '../../cli/option-types.ts'
import { pairs, repeated } from '../../cli/repeatable.ts'
import {
  type BookField,
  type BookFieldName,
  bookFieldEntries,
  columnOf,
  isImagePath,
  type Overrides,
} from '../../plan/book-fields.ts'
import { checkOptions } from './check-options.ts'
import { typeOption } from './type-option.ts'

type BookOptions = Overrides & { cover: string }

/** Adds the options for a book's metadata and cover; `cover` is the default of `--cover`. */
function metadataOptions<A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
  cover: 'auto' | 'none',
): Command<A, O & BookOptions> {
  command.optionsGroup('The book:')
  for (const [name, field] of bookFieldEntries)
    command.addOption(optionOf(`--${columnOf(name)} ${field.argument}`.trim(), field, cover))
  // What the loop adds is what the table of the fields says, which the compiler cannot see.
  return command as unknown as Command<A, O & BookOptions>
}

function optionOf(flags: string, { kind, help }: BookField, cover: string): Option {
  if (kind === 'list') return repeated(flags, help)
  if (kind === 'pairs') return pairs(flags, help)
  const option = new Option(flags, help)
  if (kind === 'isbn') return option.argParser(parseIsbn)
  return kind === 'cover' ? option.default(cover) : option
}

/** Adds the options of a command that uploads a book. */
export const bookOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  checkOptions(
    metadataOptions(command, 'auto')
      .optionsGroup('The upload:')
      .option('--no-wait', 'do not wait until the service has processed the file')
      .addOption(typeOption())
      .option('--no-check', 'send the file even if it has problems')
      .option('--strict', 'stop on warnings as well as on errors'),
  )

/** Adds the options of a command that only creates the record of a book, whose files are sent by other commands. */
export const creationOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  checkOptions(
    metadataOptions(command, 'none')
      .optionsGroup('The request:')
      .option('--request-id <uuid>', 'the id of the upload request; a new one if it is not given', parseUuid)
      .addOption(typeOption())
      .option('--no-check', 'create it even if the file has problems')
      .option('--strict', 'stop on warnings as well as on errors'),
  )

/** The option that has what was uploaded before uploaded once more. */
export const againOption = () =>
  new Option('--again', 'upload what was uploaded before once more, and what was quarantined or failed')

/** The option of commands that send several files at a time. */
export const concurrencyOption = () =>
  new Option('--concurrency <count>', 'how many files are sent at a time').argParser(parseCount).default(4)

/** Adds the options of a command that uploads many files. */
export const batchOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('Many files:')
    .addOption(concurrencyOption())
    .option('--stop-on-error', 'start no other file after one has failed')
    .option('--continue', 'continue with the other files if one fails, which is the default')
    .option('--report <file>', 'write the receipts to a .json, .ndjson, .csv, .xml (JUnit) or .html file')

/** The option of commands that can write a job summary. */
export const summaryOption = () =>
  new Option('--summary', 'add the result to the job summary of GitHub Actions (GITHUB_STEP_SUMMARY)')

/** The overrides among the options of a command, with an absolute path for the cover. */
export function overridesOf(options: { readonly [name in BookFieldName]?: unknown }): Overrides {
  const overrides: Overrides = Object.fromEntries(
    bookFieldEntries.flatMap(([name]) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  const { cover } = overrides
  return isImagePath(cover) ? { ...overrides, cover: resolve(cover) } : overrides
}
