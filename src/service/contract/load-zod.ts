/** Loads zod, of which the contract's schemas are made from then on. */
export async function loadZod(): Promise<void> {
  await import('./zod-parts.ts')
}
