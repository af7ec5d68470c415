import { UsageFailure } from './errors.ts'

/** Tells of a path whether the file there may be read: for an agent's command, what is in one folder. */
export interface MayRead {
  (path: string): boolean
  /** Whether what is read may be a pipe as well. Agents have none. */
  readonly orPipe?: true
}

/** For what the user runs, and for files that no agent names, such as those of the embedded sandbox. */
export const anyFile: MayRead = Object.assign(() => true, { orPipe: true } as const)

/** The failure that says of a file that an agent may not read it. */
export const outsideRoot = (message: string): UsageFailure =>
  new UsageFailure(message, {
    code: 'outside_root',
    hint: 'Whoever starts the server for agents chooses the folder with --root.',
  })

export const notInRoot = (path: string): string => `${path} is not in the folder that may be read`
