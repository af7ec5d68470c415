import { type Command, Option } from '@commander-js/extra-typings'
import { parseMatch } from '../../cli/option-types.ts'

/** Adds the options of commands that take what `namedFiles` does: files, folders, patterns and a sheet of books. */
/** What the arguments of a command may be that takes many books. */
export const bookFiles = 'EPUB, PDF or LPF files, folders or patterns'

export const namingOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .option(
      '--manifest <file>',
      'a sheet of books: CSV, YAML or JSON whose columns are the names of the flags',
    )
    .option('--encoding <name>', "the sheet's encoding if it is not Unicode, such as windows-1252")
    .option('--recursive', 'include the files in subfolders')

/** The option of commands that read sheets as metadata of books. */
export const encodingOption = () =>
  new Option('--encoding <name>', 'the encoding of sheets that are not Unicode, such as windows-1252')

/** The option of commands that compare the rows of sheets with the service. */
export const matchOption = () =>
  new Option('--match <field>', 'recognise books by isbn or by metadata:<key>')
    .argParser(parseMatch)
    .default('isbn')
