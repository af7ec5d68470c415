import type { PlanStep } from '../../plan/plan-step.ts'
import { exitCodes, Failure } from '../../system/errors.ts'

/** Why a step is left to people. */
export const undecided = ({ action, why, hint }: PlanStep): Failure =>
  leftToPeople(
    hint === null ? why : `${why}. ${hint}`,
    action.replace('-', '_') as Parameters<typeof leftToPeople>[1],
  )

const leftToPeople = (
  message: string,
  code: 'conflict' | 'blocked' | 'drifted' | 'no_file' | 'broken',
): Failure => new Failure(message, { code, exitCode: exitCodes.partFailed })
