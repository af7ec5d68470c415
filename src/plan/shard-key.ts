import { isbn13 } from './match.ts'
import type { PlanStep } from './plan-step.ts'
import type { WantedFile } from './wanted.ts'

/** What a file is known by before it is read: its ISBN if the user gave one, else its path. */
export const keyOfFile = ({ file, overrides, below = file }: WantedFile): string =>
  isbn13(overrides.isbn) ?? below

/** What a step is known by. Steps that name no book are left to people, so that it does not matter who reports them. */
export const keyOfStep = ({
  key,
  publicationId,
  file,
  action,
}: Pick<PlanStep, 'key' | 'publicationId' | 'file' | 'action'>): string =>
  key ?? publicationId ?? file ?? action
