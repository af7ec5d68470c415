import { type Command, Option } from '@commander-js/extra-typings'
import { parseCount, parseIsbn, parseUuid } from './option-types.ts'
import { pairs, repeated } from './repeatable.ts'

/** Adds the options for a book's metadata and cover; `cover` is the default of `--cover`. */
const metadataOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
  cover: 'auto' | 'none',
) =>
  command
    .optionsGroup('The book:')
    .option('--title <text>', "the title, in place of the file's own")
    .addOption(repeated('--author <name>', "an author, in place of the file's own"))
    .option('--language <language>', 'a tag such as en-GB, or a name such as English')
    .option('--description <text>', 'what the book is about')
    .option('--isbn <isbn>', 'its ISBN, with or without hyphens', parseIsbn)
    .option('--publisher <name>', 'who publishes it')
    .addOption(pairs('--metadata <key=value>', 'a metadata value; key:=5 gives a number or other JSON'))
    .option('--cover <file>', 'an image file; "auto" for the cover in the book, "none" for none', cover)
    .addOption(repeated('--collection <id>', 'a collection to put it in'))
    .addOption(repeated('--sample-item <item>', 'an item of the book that anybody may read'))
    .option('--internal', 'only for the internal reading instance')

/** Adds the options of a command that uploads a book. */
export const bookOptions = <A extends unknown[], O extends Record<string, unknown>>(command: Command<A, O>) =>
  metadataOptions(command, 'auto')
    .optionsGroup('The upload:')
    .option('--no-wait', 'do not wait until the service has processed the file')
    .option('--no-check', 'send the file whatever its problems are')
    .option('--strict', 'stop on warnings as well as on errors')

/** Adds the options of a command that only creates the record of a book, whose files are sent by other commands. */
export const creationOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  metadataOptions(command, 'none')
    .optionsGroup('The request:')
    .option('--request-id <uuid>', 'the upload request that this is; a new one without it', parseUuid)
    .option('--no-check', 'create it whatever the problems of the file are')
    .option('--strict', 'stop on warnings as well as on errors')

/** Adds the options of a command that uploads many files. */
export const batchOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('Many files:')
    .addOption(
      new Option('--concurrency <count>', 'how many files are sent at a time')
        .argParser(parseCount)
        .default(4),
    )
    .option('--stop-on-error', 'begin no further file once one has failed')
    .option('--continue', 'go on with the other files when one fails, which is the default')
    .option('--report <file>', 'write the receipts to a .json, .csv, .xml (JUnit) or .html file')
