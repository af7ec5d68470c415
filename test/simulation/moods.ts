import type { SandboxVariant } from '../../src/sandbox/variants.ts'

/** What a service may do in one way or another, since its document leaves it open. */
export interface Mood {
  readonly name: string
  readonly variants: readonly SandboxVariant[]
  /** What it answers to a creation whose upload request was made before, in place of 201. */
  readonly repeat?: 200 | 409
  /** What it does with an upload request that was made before, also where a session is asked for it. */
  readonly ids?: 'refused' | 'ignored'
  /** How long it takes for an answer, and for the scan, in milliseconds. */
  readonly slow?: { readonly answer: number; readonly scan: number }
  /** One of so many requests is one too many: 429, with `Retry-After` or without. */
  readonly limited?: { readonly oneOf: number; readonly retryAfter?: string }
}

export const usual: Mood = { name: 'usual', variants: [] }

export const moods: readonly Mood[] = [
  usual,
  { name: 'current at creation', variants: ['current-at-creation'] },
  { name: 'new object keys', variants: ['new-object-keys'] },
  { name: '200 for a repeat', variants: [], repeat: 200 },
  { name: '409 for a repeat', variants: [], repeat: 409 },
  { name: 'ids refused', variants: [], ids: 'refused' },
  { name: 'ids ignored', variants: [], ids: 'ignored' },
  { name: 'slow', variants: [], slow: { answer: 4000, scan: 90_000 } },
  { name: 'limited', variants: [], limited: { oneOf: 3 } },
  { name: 'limited with a pause', variants: [], limited: { oneOf: 4, retryAfter: '7' } },
]

/** Without an upload request to go by, only a person knows what is to be done with what was begun. */
export const mayStop = ({ ids }: Mood): boolean => ids !== undefined

/** Whether what was made before an answer was lost is known again by when it was made. */
export const isKnownByTime = ({ repeat, variants }: Mood): boolean =>
  repeat === 409 || variants.includes('new-object-keys')

/** Whether it shows in what is answered, and when, alone. */
export const showsInAnswers = ({ name, variants }: Mood): boolean =>
  name !== usual.name && variants.length === 0
