import type * as parts from './zod-parts.ts'

/**
 * The parts of zod that the contract's schemas are made of, once `loadZod` has ended. Commands wait for that before they are
 * carried out, and the sandbox before it starts; the help needs the endpoints, but none of their schemas, and starts a tenth
 * faster without zod.
 */
export let z: typeof parts

/** Loads zod. Schemas can be made from then on. */
export async function loadZod(): Promise<void> {
  z ??= await import('./zod-parts.ts')
}
