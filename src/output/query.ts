import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { UsageFailure } from '../errors.ts'

/** Checks a JMESPath expression before any request is made for it. */
export function checkQuery(expression: string): void {
  try {
    compile(expression)
  } catch (error) {
    throw notAnExpression(expression, error)
  }
}

/** What a JMESPath expression finds in a value. */
export function search(value: unknown, expression: string): unknown {
  try {
    return TreeInterpreter.search(compile(expression), value as JSONValue)
  } catch (error) {
    throw notAnExpression(expression, error)
  }
}

const notAnExpression = (expression: string, error: unknown): UsageFailure =>
  new UsageFailure(`--query "${expression}": ${error instanceof Error ? error.message : String(error)}`, {
    code: 'bad_query',
    hint: 'JMESPath is described at https://jmespath.org; try --query "[].id".',
  })
