import { AsyncLocalStorage } from 'node:async_hooks'
import { UsageFailure } from './errors.ts'

/** Tells of a path whether the file there may be read. */
export type MayRead = (path: string) => boolean

/** What the command that runs may read. An agent's commands run beside others in one process. */
const permitted = new AsyncLocalStorage<MayRead>()

/** Does work during which only the files are opened that `allows` permits, whoever names them. */
export const readingOnly = <T>(allows: MayRead, work: () => T): T => permitted.run(allows, work)

/** Opens what was not named by an agent, such as the files of the embedded sandbox. */
export const readingAnything = <T>(work: () => T): T => permitted.exit(work)

export const isRestricted = (): boolean => permitted.getStore() !== undefined
export const mayRead: MayRead = path => permitted.getStore()?.(path) ?? true

/** The failure that says of a file that an agent may not read it. */
export const outsideRoot = (message: string): UsageFailure =>
  new UsageFailure(message, {
    code: 'outside_root',
    hint: 'Whoever starts the server for agents chooses the folder with --root.',
  })

export const notInRoot = (path: string): string => `${path} is not in the folder that may be read`
