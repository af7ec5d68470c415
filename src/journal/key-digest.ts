// Loaded on demand: node:crypto takes longer to load than a command's help takes.
import { createHash } from 'node:crypto'

/** A digest that distinguishes the keys of a service without revealing them. */
export const keyDigestOf = (target: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([target, key]))
    .digest('hex')
    .slice(0, 16)
