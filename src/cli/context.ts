import type { Directories } from '../config/paths.ts'
import type { ProfileStore } from '../config/profiles.ts'
import type { Settings } from '../config/settings.ts'
import type { Call, ServiceClient } from '../service/client/call.ts'
import type { Answer } from '../service/client/read.ts'
import type { Endpoint, Input } from '../service/contract/endpoint.ts'
import type { CheckedBy } from '../system/checked-by.ts'
import type { Http } from '../system/http.ts'
import type { Warning } from '../system/warning.ts'
import type { World } from '../system/world.ts'
import type { Ask } from './output/ask.ts'
import type { Presenter } from './output/present.ts'
import type { Progress } from './output/progress.ts'
import type { Format, View } from './output/view.ts'
import type { WaitingLine } from './output/waiting.ts'
import type { Writer } from './output/writer.ts'

/** The values of the global options, which `cli/global-options.ts` declares. */
export interface GlobalOptions {
  profile?: string
  baseUrl?: string
  apiKeyFile?: string
  output?: Format
  json?: boolean
  fields?: string[]
  query?: string
  exitStatus?: boolean
  quiet?: boolean
  progress?: boolean
  verbose?: boolean
  color?: 'auto' | 'always' | 'never'
  /** False after `--no-pager`. */
  pager?: boolean
  envelope?: boolean
  /** False after `--no-input`. */
  input?: boolean
  yes?: boolean
  dryRun?: boolean
  /** Milliseconds. */
  timeout?: number
}

/** A sandbox that runs in this process. */
export interface EmbeddedSandbox {
  baseUrl: string
  key: string
  close(): Promise<void>
}

/** A request that `--dry-run` prints and does not send. */
export interface PlannedRequest {
  method: string
  url: string
  body?: unknown
  /** Who else has checked the book that it is about. */
  readonly checkedBy?: readonly CheckedBy[]
}

/** Everything that a command may use: nothing else reaches the network, the screen, the clock or the configuration. */
export interface Context extends Presenter {
  readonly world: World
  /** The command that runs, such as `publications upload`. */
  readonly command: string
  readonly options: GlobalOptions
  readonly format: Format
  readonly directories: Directories
  readonly profiles: ProfileStore
  readonly out: Writer
  readonly err: Writer
  readonly ask: Ask
  /** True with `--quiet` or a JSON format: no notes. */
  readonly isQuiet: boolean
  /** False where `isQuiet`, unless `--progress` asks for it: then a terminal shows it, and a log does not. */
  readonly showsProgress: boolean
  /** Where progress is shown. */
  readonly progressWriter: Writer
  /** The text of the file that `--api-key-file` names. */
  keyFromFlag(): Promise<string | undefined>
  settings(): Promise<Settings>
  /** The address and the key of the service. Starts the sandbox if that is the profile. */
  target(): Promise<{ readonly baseUrl: string; readonly key: string }>
  /** A client for another service than that of the settings. */
  connect(destination: {
    baseUrl: string
    key: string
    multiValue: 'repeat' | 'comma'
  }): Promise<ServiceClient>
  /** The client for the service of the settings. */
  client(): Promise<ServiceClient>
  http(): Promise<Http>
  /** `context.authentication.scopeId` of the latest answer that had one; null before. */
  scopeId(): string | null
  /** Calls an endpoint that only reads, or one that changes something regardless of `--dry-run`. */
  readonly call: Call
  /** Shows what the command waits for, and why a request is repeated. */
  readonly waiting: WaitingLine
  /**
   * Calls an endpoint that changes something. With `--dry-run`, plans the request, with who has checked the book that it is about, and
   * returns undefined.
   */
  change<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    about?: Pick<PlannedRequest, 'checkedBy'>,
  ): Promise<Answer<E> | undefined>
  /** Adds a request to those that `--dry-run` prints. */
  plan(request: PlannedRequest): void
  readonly planned: readonly PlannedRequest[]
  /** Adds a step to those that `--dry-run` prints. Its requests are those that were planned after the first `before`. */
  planStep(step: object, before: number): void
  readonly steps: readonly object[]
  /** Whether `--query` has selected something of what was printed. */
  hasSelected(): boolean
  /** Prints a line on stderr, unless `isQuiet`. */
  note(text: string): Promise<void>
  /** Prints a warning on stderr, as text or JSON like the results, unless `--quiet` is given. */
  warn(warning: Warning): Promise<void>
  /** Shows the progress of one file or of many; nothing unless `showsProgress`. */
  progress(): Promise<Progress>
  /** Says that the list that is printed was cut, and by which token the service would go on. */
  cut(token: string | undefined): void
  /** Has something ended with the command. */
  onClose(close: () => Promise<void>): void
  /** Stops the sandbox and the progress, saves the completion cache, and ends what was registered with `onClose`. */
  close(): Promise<void>
}

/** What `--envelope` needs to know of a list to say what can be done next. */
export interface ListEnd {
  readonly view: View
  readonly first: unknown
  /** How it was cut, if it was. */
  readonly cut: { readonly token: string | undefined } | undefined
}

/** Turns a function that takes a context into an action for commander. */
export type Run = <A extends unknown[]>(
  action: (context: Context, ...args: A) => Promise<unknown>,
) => (...args: A) => Promise<void>

/** The chosen output format. */
export const formatOf = ({ json, output }: GlobalOptions): Format => (json ? 'json' : (output ?? 'table'))
