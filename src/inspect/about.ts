import { userAgent } from '../system/version.ts'

/** What a report says about itself. */
export interface About {
  /** The files and folders that were asked for. */
  readonly inputs: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** The name and version of the program. */
  readonly program: string
}

/** `hide` takes secrets out of what was asked for. */
export const aboutReport = (
  inputs: readonly string[],
  now: number,
  hide: (text: string) => string,
): About => ({ inputs: inputs.map(hide), now, program: userAgent.replace('/', ' ') })
