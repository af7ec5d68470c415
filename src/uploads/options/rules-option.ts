import { repeated } from '../../cli/repeatable.ts'

/** `--rules`: the packs and files of rules that books are checked by, besides what is checked anyway. */
export const rulesOption = () => repeated('--rules <file or pack>', 'rules that books are checked by')
