import { Option } from '@commander-js/extra-typings'
import { parseChangeLimit } from '../../catalogue/change-limit.ts'
import { repeated, repeatedChoice } from '../../cli/repeatable.ts'
import { type PlanAction, planActions } from '../../plan/actions.ts'
import type { Selection } from '../../plan/selection.ts'

// Each of these options chooses steps of a plan by the books that they are about, or by what they do.
export const onlyOption = () =>
  repeated('--only <isbn or file>', 'only the step of a book, by its ISBN, publication or file')

export const excludeOption = () =>
  repeated('--exclude <isbn or file>', 'leave out the step of a book, named in the same way')

export const actionOption = () =>
  repeatedChoice('--action <action>', 'only steps of these actions', planActions)

export const maxChangesOption = () =>
  new Option(
    '--max-changes <number or %>',
    'stop if there is more to change; a percentage is of the books in the plan that the service has',
  ).argParser(parseChangeLimit)

interface Chosen {
  readonly only?: string[] | undefined
  readonly exclude?: string[] | undefined
  readonly action?: PlanAction[] | undefined
}

export const selectionOf = ({ only = [], exclude = [], action = [] }: Chosen): Selection => ({
  ...{ only, exclude, actions: action },
})
