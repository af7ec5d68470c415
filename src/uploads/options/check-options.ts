import { type Command, Option } from '@commander-js/extra-typings'
import { repeated } from '../../cli/repeatable.ts'

/** `--rules`: the packs and files of rules that books are checked by, besides what is checked anyway. */
export const rulesOption = () => repeated('--rules <file or pack>', 'rules that books are checked by')

/** `--epubcheck`: that EPUBCheck checks books, too. */
export const epubcheckOption = () =>
  new Option('--epubcheck', 'run EPUBCheck as well: its program or its package')

/** Adds the options that say what books are checked by, besides what is checked anyway. */
export const checkOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) => epubcheckOptions(command.addOption(rulesOption()))

/** Adds `--epubcheck`, and what leaves EPUBCheck out. */
export const epubcheckOptions = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .addOption(epubcheckOption())
    .option('--no-epubcheck', 'leave EPUBCheck out, where the profile has it')
