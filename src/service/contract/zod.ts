import type * as parts from './zod-parts.ts'

/**
 * The parts of zod that the contract's schemas are made of, once `loadZod` has ended. Commands wait for that before they are
 * carried out, and the sandbox before it starts. The help needs the endpoints and none of their schemas: without zod,
 * `publications --help` takes 1.47 times as long as `node -e 0`, and 1.56 times with it, which that row of the bench would miss.
 */
export let z: typeof parts

/** Loads zod. Schemas can be made from then on. */
export async function loadZod(): Promise<void> {
  z ??= await import('./zod-parts.ts')
}
