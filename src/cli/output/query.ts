import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { UsageFailure } from '../../system/errors.ts'

/** Throws UsageFailure `bad_query` for an invalid JMESPath expression. Called before any request is made. */
export function checkQuery(expression: string): void {
  try {
    compile(expression)
  } catch (error) {
    throw badQuery(expression, error)
  }
}

/** The result of a JMESPath expression. Throws UsageFailure `bad_query`. */
export function search(value: unknown, expression: string): unknown {
  try {
    return TreeInterpreter.search(compile(expression), value as JSONValue)
  } catch (error) {
    throw badQuery(expression, error)
  }
}

const badQuery = (expression: string, error: unknown): UsageFailure =>
  new UsageFailure(`--query "${expression}": ${error instanceof Error ? error.message : String(error)}`, {
    code: 'bad_query',
    hint: 'JMESPath is described at https://jmespath.org; try --query "[].id".',
  })
