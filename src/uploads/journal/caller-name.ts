import { sha256 } from '../../system/sha256.ts'
import type { Caller } from './caller.ts'

/** A name for the files that are kept for a caller, which says neither the address nor the scope. */
export const nameOfCaller = ({ target, scopeId, keyDigest }: Caller): string =>
  sha256(JSON.stringify(scopeId === null ? [target, null, keyDigest] : [target, scopeId])).slice(0, 32)
