import { Option } from '@commander-js/extra-typings'
import { publicationTypes } from '../../service/contract/publication-type.ts'

/** `--type`, which permits a name that says another type than the content has. */
export const typeOption = () =>
  new Option('--type <type>', 'the type of the book, if the name of the file says another').choices(
    publicationTypes,
  )
