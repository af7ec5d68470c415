import { serialise } from '../system/exact-json.ts'
import type { PlanHeader, PlanStep } from './plan-step.ts'

/** The lines of a plan file: the header, then the steps in the order of the sources. */
export function* planLines(header: PlanHeader, steps: Iterable<PlanStep>): Generator<string> {
  yield `${serialise(header)}\n`
  for (const step of steps) yield `${serialise(step)}\n`
}
