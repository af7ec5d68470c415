import { readText } from '../../cli/read-text.ts'
import type { Context } from '../../context.ts'
import { UsageFailure } from '../../errors.ts'
import { isObject } from '../../is-object.ts'

/** Reads a session from a file: the output of `uploads create`, or a whole answer of the service. */
export async function readSessionFile({ world }: Context, path: string): Promise<unknown> {
  const text = await readText(path, world)
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && 'result' in value ? value['result'] : value
  } catch {
    throw new UsageFailure(`${path === '-' ? 'standard input' : path} does not hold a session as JSON`, {
      hint: 'Make one: pubctl uploads create book.epub --json > session.json',
    })
  }
}
