import type { Answer } from '../service/client/read.ts'
import type { Endpoint, Input } from '../service/contract/endpoint.ts'
import type { Context } from './context.ts'
import type { View } from './output/view.ts'

/** Reads a resource, and prints it. */
export async function showItem<E extends Endpoint>(
  context: Context,
  view: View,
  endpoint: E,
  input: Input<E>,
): Promise<void> {
  await context.check(view)
  await printItem(context, view, await context.call(endpoint, input))
}

/** Makes or changes a resource, and prints it as it is now. Gives the answer; undefined with `--dry-run`. */
export async function changeItem<E extends Endpoint>(
  context: Context,
  view: View,
  endpoint: E,
  input: Input<E>,
): Promise<Answer<E> | undefined> {
  await context.check(view)
  const answer = await context.change(endpoint, input)
  if (answer) await printItem(context, view, answer)
  return answer
}

const printItem = async (
  context: Context,
  view: View,
  { raw }: { readonly raw: { readonly item?: unknown } },
) => await context.item(view, raw.item)
