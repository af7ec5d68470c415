import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { UsageFailure } from '../../system/errors.ts'
import { closest } from './did-you-mean.ts'
import type { OutputOptions } from './view.ts'

/** Throws UsageFailure `bad_query` for an invalid JMESPath expression. Called before any request is made. */
export function checkQuery(expression: string): void {
  try {
    compile(expression)
  } catch (error) {
    throw badQuery(expression, error)
  }
}

/** `--query`, which is applied to one value or to many, and remembers which of the fields that it names it did not see. */
export interface FieldQuery {
  /** The result of the expression. Throws UsageFailure `bad_query`. */
  search(value: unknown): unknown
  /** Says which fields were in none of the values. Called when all values have been searched. */
  tellMissing(): Promise<void>
}

export function openQuery(
  expression: string,
  {
    declared,
    fields,
    onMissing,
    onSelected,
  }: Pick<OutputOptions, 'declared' | 'fields' | 'onMissing' | 'onSelected'>,
): FieldQuery {
  const tree = compile(expression)
  const unseen = namesIn(tree)
  const seen = new Set<string>()
  let own: readonly string[] = []
  return {
    search(value) {
      if (unseen.size > 0) {
        if (own.length === 0) own = ownNames(value)
        eachName(value, name => {
          seen.add(name)
          unseen.delete(name)
          return unseen.size === 0
        })
      }
      try {
        const result = TreeInterpreter.search(tree, value as JSONValue)
        if (isSomething(result)) onSelected?.()
        return result
      } catch (error) {
        throw badQuery(expression, error)
      }
    },

    async tellMissing() {
      // Nothing is known of the fields of an empty list, and a field that is declared may be in no item today.
      if (seen.size === 0) return
      for (const path of fields ?? declared?.() ?? []) for (const name of path.split('.')) unseen.delete(name)
      for (const name of unseen) await onMissing?.(name, closest(name, seen), own)
    },
  }
}

const isSomething = (result: unknown): boolean =>
  Array.isArray(result) ? result.length > 0 : result !== null && result !== undefined && result !== false

/** The functions whose results have fields that are not in the expression: their names are values. */
const objectMakers: ReadonlySet<unknown> = new Set(['from_items', 'group_by'])

/** The fields that an expression takes from what it is given; nothing where it makes fields of values. */
function namesIn(tree: unknown): Set<string> {
  const taken = new Set<string>()
  const made = new Set<string>()
  let isMaking = false
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, name, value } = node as { type?: unknown; name?: unknown; value?: unknown }
    if (type === 'Field') taken.add(String(name))
    if (type === 'KeyValuePair') made.add(String(name))
    if (type === 'Function' && objectMakers.has(name)) isMaking = true
    if (type === 'Literal')
      eachName(value, each => {
        made.add(each)
        return false
      })
    else for (const inner of Object.values(node)) walk(inner)
  }
  walk(tree)
  return isMaking ? new Set() : new Set([...taken].filter(name => !made.has(name)))
}

/** Hands over the name of each field within a value, until `take` returns true. Returns whether it did. */
function eachName(value: unknown, take: (name: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(element => eachName(element, take))
  return Object.entries(value).some(([name, inner]) => take(name) || eachName(inner, take))
}

/** The names of a record's own fields, or of the first record of a list. */
function ownNames(value: unknown): readonly string[] {
  const record = Array.isArray(value) ? value[0] : value
  return typeof record === 'object' && record !== null ? Object.keys(record) : []
}

const badQuery = (expression: string, error: unknown): UsageFailure =>
  new UsageFailure(`--query "${expression}": ${error instanceof Error ? error.message : String(error)}`, {
    code: 'bad_query',
    hint: 'JMESPath is described at https://jmespath.org; try --query "[].title".',
  })
