import { outlines } from './outlines.ts'
import type * as names from './zod-names.ts'

/** What the contract's schemas are made of: outlines of zod, until somebody loads zod itself. */
export let z = outlines as unknown as typeof names

/** Has the schemas made of zod from now on. `endpoint.ts` makes those again that were made of outlines. */
export function useZod(parts: typeof names): void {
  z = parts
}
