import { decide as decideFor } from '../plan/decide.ts'
import type { Known } from '../plan/known.ts'
import type { ProductStep, Step } from '../plan/step.ts'
import type { Wanted, WantedProduct } from '../plan/wanted.ts'
import { withProgramHints } from './program-hints.ts'

/**
 * Decides what to do with a book. Pure: no clock, network or disk. A book is skipped only if its content is proven to be at
 * the service, or if ISBN and size are the same; title, authors and type alone are never enough. A product of a catalogue is
 * identified by its key, and its file may be missing.
 */
export function decide(wanted: Wanted, known: Known): Step
export function decide(wanted: WantedProduct, known: Known): ProductStep
export function decide(wanted: Wanted | WantedProduct, known: Known): Step | ProductStep {
  return withHint(decideFor(wanted as WantedProduct, known))
}

/** Only the hint is replaced: metadata values in the step may be of any shape. */
const withHint = (step: ProductStep): ProductStep =>
  'hint' in step ? { ...step, ...withProgramHints({ action: step.action, hint: step.hint }) } : step
