import type { ProductStep } from './step.ts'

/** What a step can do; an `orphan` is a publication that is in no source, so that nothing is decided on it. */
export type PlanAction = ProductStep['action'] | 'orphan'

/** What every action has. */
export interface Action {
  /** Whether carrying it out changes something at the service. */
  readonly writes: boolean
  /**
   * Who carries it out: an `upload` or an `update` of fields. With `people`, it waits until somebody has settled it; with
   * `nobody`, everything is as it should be.
   */
  readonly carriedOutBy: 'upload' | 'update' | 'people' | 'nobody'
  /** What follows the number of its steps in a summary, or what follows one and what follows any other. */
  readonly phrase: string | readonly [one: string, many: string]
  /** What a page calls its steps; null if they are only counted. */
  readonly title: string | null
  /** What its name means, for who keeps the metadata: a sentence about its steps. */
  readonly meaning: string
  /** Whether a table at a terminal has its steps only with `--verbose`: there can be many, and nothing is to be done. */
  readonly isQuiet?: true
  /** Whether its steps have receipts, although nobody does anything about them, so that each record is named. */
  readonly hasReceipt?: true
  /** What a plan with such a step ends with: an exit code of its own with `--detailed-exitcode`, or always that of a failure. */
  readonly exit: 'equal' | 'different' | 'broken'
  /** What a line of a plan file must have for it (see plan-contract.ts). */
  readonly line: 'creation' | 'edition' | 'update' | 'begun' | 'facts'
  /** Whether the publication that it is about can be that of no other row. */
  readonly isExclusive: boolean
  /** What people can do about it in the sources, where the step itself does not say it. */
  readonly hint: string | null
}

/**
 * The actions, in the order in which they are said. Whatever depends on the action of a step follows from this table, so a
 * new action compiles only with a row that is complete.
 */
const table = {
  create: {
    ...{ writes: true, carriedOutBy: 'upload', exit: 'different', line: 'creation', isExclusive: false },
    phrase: 'to create',
    title: 'To create',
    meaning: 'These become new publications.',
    hint: null,
  },
  edition: {
    ...{ writes: true, carriedOutBy: 'upload', exit: 'different', line: 'edition', isExclusive: true },
    phrase: ['new edition', 'new editions'],
    title: 'New editions',
    meaning: 'These get a new file, which the service calls an edition; that of ONIX is not meant.',
    hint: null,
  },
  update: {
    ...{ writes: true, carriedOutBy: 'update', exit: 'different', line: 'update', isExclusive: true },
    phrase: ['update', 'updates'],
    title: 'Updates',
    meaning: 'Fields of these publications are changed.',
    hint: null,
  },
  resume: {
    ...{ writes: true, carriedOutBy: 'upload', exit: 'different', line: 'begun', isExclusive: true },
    phrase: 'to resume',
    title: 'To resume',
    meaning: 'The uploads of these were begun earlier and go on.',
    hint: null,
  },
  wait: {
    ...{ writes: false, carriedOutBy: 'upload', exit: 'different', line: 'begun', isExclusive: true },
    phrase: 'to wait for',
    title: 'To wait for',
    meaning: 'These were sent, and pubctl has not seen yet that they are available.',
    hint: null,
  },
  blocked: {
    ...{ writes: false, carriedOutBy: 'people', exit: 'different', line: 'facts', isExclusive: true },
    phrase: 'blocked',
    title: 'Blocked',
    meaning: 'These differ in a field that the service takes only together with a file.',
    hint: 'Correct the sheet or message, or plan with --reissue to send the file again, with the values of the sheet or message.',
  },
  drifted: {
    ...{ writes: false, carriedOutBy: 'people', exit: 'different', line: 'facts', isExclusive: true },
    phrase: 'drifted',
    title: 'Drifted',
    meaning: 'Somebody changed these at the service after they were sent.',
    hint: 'Take it into the sheet or message, keep it with "pubctl catalogue accept", or plan with --overwrite-drifted to replace it.',
  },
  conflict: {
    ...{ writes: false, carriedOutBy: 'people', exit: 'different', line: 'facts', isExclusive: false },
    phrase: ['conflict', 'conflicts'],
    title: 'Conflicts',
    meaning: 'Nothing is done about these until somebody has settled them.',
    hint: null,
  },
  'no-file': {
    ...{ writes: false, carriedOutBy: 'people', exit: 'different', line: 'facts', isExclusive: false },
    phrase: 'without a file',
    title: 'Without a file',
    meaning: 'The service does not have these books, and no file of them was found.',
    hint: 'Name its file in the sheet, or the folder with the files with --files.',
  },
  broken: {
    ...{ writes: false, carriedOutBy: 'people', exit: 'broken', line: 'facts', isExclusive: false },
    phrase: 'broken',
    title: 'Broken',
    meaning: 'These rows of sheets or records of ONIX cannot be used.',
    hint: 'Mend the file; "pubctl inspect" says what is wrong with it.',
  },
  skip: {
    ...{ writes: false, carriedOutBy: 'nobody', exit: 'equal', line: 'facts', isExclusive: true },
    phrase: 'nothing to do',
    title: null,
    meaning: 'The service has these as the sheets and messages say.',
    isQuiet: true,
    hint: null,
  },
  ignored: {
    ...{ writes: false, carriedOutBy: 'nobody', exit: 'equal', line: 'facts', isExclusive: false },
    phrase: 'ignored',
    title: 'Ignored',
    meaning: 'pubctl does nothing about these, such as books in print; each says why.',
    isQuiet: true,
    hasReceipt: true,
    hint: null,
  },
  withdrawn: {
    ...{ writes: false, carriedOutBy: 'nobody', exit: 'equal', line: 'facts', isExclusive: false },
    phrase: 'withdrawn',
    title: 'Withdrawn',
    meaning:
      'These are at the service, and the sheet or message says that they are not for sale any more. pubctl deletes nothing.',
    hasReceipt: true,
    hint: 'Unpublish it on the pages of the service, as no command can. "pubctl publications delete" deletes it with all its editions.',
  },
  orphan: {
    ...{ writes: false, carriedOutBy: 'nobody', exit: 'equal', line: 'facts', isExclusive: false },
    phrase: 'at the service in no sheet or message',
    title: 'In no sheet or message',
    meaning: 'The service has these, and no sheet or message does.',
    hint: null,
  },
} as const satisfies { readonly [action in PlanAction]: Action }

export const actions: { readonly [action in PlanAction]: Action } = table

/** The actions of which the table says something. */
type ActionsWith<Facts extends Partial<Action>> = {
  [action in PlanAction]: (typeof table)[action] extends Facts ? action : never
}[PlanAction]

// Marked as pure, so that a bundle of the library has the table only if it decides something.
export const planActions = /* @__PURE__ */ Object.keys(table) as readonly PlanAction[]

/** How many steps of a plan there are of each action. */
export type Counts = { readonly [action in PlanAction]?: number }

/** The actions whose row says this. */
export const actionsWith = (isMeant: (action: Action) => boolean): readonly PlanAction[] =>
  planActions.filter(name => isMeant(actions[name]))

/** The actions that leave everything as it is. */
export const settledActions = /* @__PURE__ */ actionsWith(({ carriedOutBy }) => carriedOutBy === 'nobody')

/** Those of them that are only counted. */
export const countedActions = /* @__PURE__ */ actionsWith(
  ({ carriedOutBy, hasReceipt }) => carriedOutBy === 'nobody' && !hasReceipt,
)

/** The actions that are left to people. */
export const undecidedActions = /* @__PURE__ */ actionsWith(({ carriedOutBy }) => carriedOutBy === 'people')

/** Whether a step begins an upload of its own. */
export const isNewUpload = <S extends { readonly action: PlanAction }>(
  step: S,
): step is S & { readonly action: ActionsWith<{ line: 'creation' | 'edition' }> } =>
  ['creation', 'edition'].includes(actions[step.action].line)

/** How many steps of an action there are, in words. */
export function phraseOf(action: PlanAction, count: number): string {
  const { phrase } = actions[action]
  return `${count} ${typeof phrase === 'string' ? phrase : phrase[count === 1 ? 0 : 1]}`
}

export function actionCounts(steps: Iterable<{ readonly action: PlanAction }>): Counts {
  const counts: { [action in PlanAction]?: number } = {}
  for (const { action } of steps) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

/** "2 blocked, 1 conflict": the steps of some actions by their names, where there are any. */
export const countedByName = (counts: Counts, names: readonly PlanAction[] = planActions): string =>
  names.flatMap(name => (counts[name] ? [`${counts[name]} ${name}`] : [])).join(', ')
