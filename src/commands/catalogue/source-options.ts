import { type Command, Option } from '@commander-js/extra-typings'
import { repeated } from '../../cli/repeatable.ts'
import { encodingOption } from '../../uploads/options/sheet-options.ts'

/** The options of commands that read sources and find the files of their books. */
export const sourceOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('The books:')
    .addOption(encodingOption())
    .addOption(repeated('--column <name=column>', 'what a column of the sheets means, such as "Titel=title"'))
    .addOption(repeated('--files <folder>', 'find the files of books in a folder and its subfolders'))
    .option(
      '--name <pattern>',
      'how these files are named, with {isbn}, {key} or {title} (default: "{isbn}*.epub|pdf|lpf")',
    )

/** The differences that are left out of what is compared. */
export const acceptedOption = () =>
  new Option('--accepted <file>', 'leave out the differences that "catalogue accept" keeps in a file')
