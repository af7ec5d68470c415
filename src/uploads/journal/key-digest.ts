// Loaded on demand: node:crypto takes longer to load than a command's help takes.
import { sha256 } from '../../system/sha256.ts'

/** A digest that distinguishes the keys of a service without revealing them. */
export const keyDigestOf = (target: string, key: string): string =>
  sha256(JSON.stringify([target, key])).slice(0, 16)
