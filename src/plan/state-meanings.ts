import type { FieldState } from './drift.ts'

/** What each state of a book or a field means that people have to know, that of most concern first. */
export const stateMeanings = {
  drifted: 'Somebody changed it at the service after it was sent.',
  unknown: 'What was sent last is not known on this machine, so it may have been changed at the service.',
  outdated: 'The service has what was sent last, and the sheet or message says something newer.',
} as const satisfies { readonly [state in FieldState]?: string }
