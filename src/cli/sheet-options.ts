import { Option } from '@commander-js/extra-typings'
import { parseMatch } from './option-types.ts'

/** The option of commands that read sheets as metadata of books. */
export const encodingOption = () =>
  new Option('--encoding <name>', 'the encoding of sheets that are not Unicode, such as windows-1252')

/** The option of commands that compare the rows of sheets with the service. */
export const matchOption = () =>
  new Option('--match <field>', 'recognise books by isbn or by metadata:<key>')
    .argParser(parseMatch)
    .default('isbn')
