// A file of its own, since Node's hashes take longer to load than a command's help takes.
import { createHash } from 'node:crypto'

/** Tells the keys of a service apart and holds none. */
export const keyDigestOf = (target: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([target, key]))
    .digest('hex')
    .slice(0, 16)
