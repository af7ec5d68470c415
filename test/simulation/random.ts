import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { randomFrom } from '../support/machine/random.ts'

/** What everything random follows from. */
let next = randomFrom(0)

/** From now on, everything random follows from a seed: ids and pauses of the program as well as those of the service. */
export function seedRandom(seed: number): void {
  next = randomFrom(seed)
}

/** A whole number below a limit. */
export const below = (limit: number): number => Math.floor(next() * limit)

const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => below(256)))

function uuid(): string {
  const own = bytes(16)
  own[6] = (Number(own[6]) & 0x0f) | 0x40
  own[8] = (Number(own[8]) & 0x3f) | 0x80
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Puts numbers that follow from the seed in the place of Node's random ones, before anything of the program takes functions of it. */
export function simulateRandom(): void {
  Math.random = () => next()
  Object.assign(crypto, { randomBytes: bytes, randomUUID: uuid })
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid })
  syncBuiltinESMExports()
}
