import type { CheckedBy } from './checked-by.ts'
import { cutText } from './cut-text.ts'

/** The exit codes of the process. Scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  notAuthenticated: 3,
  forbidden: 4,
  notFound: 5,
  refused: 6,
  network: 8,
  nobodyToAsk: 9,
  partFailed: 10,
  quarantined: 11,
  processingFailed: 12,
  waitExhausted: 13,
  changesPlanned: 14,
  nothingSelected: 15,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

/** The meaning of each exit code, as in the help, the documentation and `pubctl commands`. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  fault: 'a fault in pubctl itself',
  usage:
    'usage: a bad flag or argument, an unreadable or unfit file, or the service found the request not valid',
  notAuthenticated: 'not authenticated: no key, or 401',
  forbidden: 'forbidden (403)',
  notFound: 'not found (404)',
  refused: 'refused: any other 4xx',
  network: 'network failure, 429 or 5xx, after the retries',
  nobodyToAsk: 'a confirmation or an input is needed, and nobody can be asked',
  partFailed: 'part of a batch failed',
  quarantined: 'the file was quarantined',
  processingFailed: 'processing failed',
  waitExhausted: 'gave up waiting; the upload itself is intact',
  changesPlanned: 'a plan has changes to make (only with --detailed-exitcode)',
  nothingSelected: 'nothing is selected by --query (only with --exit-status)',
  hungUp: 'hung up: the terminal was closed or the connection to it was lost',
  interrupted: 'interrupted',
  terminated: 'terminated',
}

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface FailureDetail {
  message: string
  path?: (string | number)[]
  code?: string
  /** What the command would end with if this were all that it was asked for. */
  exitCode?: ExitCode
  /** The flag or argument that it is about. */
  flag?: string
  /** What to do next about it. */
  hint?: string
}

interface FailureFacts {
  code: string
  exitCode: ExitCode
  /** What to do next, as a sentence. */
  hint?: string | undefined
  cause?: unknown
}

/**
 * An expected error: a message for people, a code for scripts, the exit code, and what to do next. Any other error is a
 * fault in pubctl itself. Texts are cut, because they may come from outside and be of any length.
 */
export class Failure extends Error {
  /** The name of the class, in a minified program as well. */
  override readonly name: string = 'Failure'
  readonly code: string
  readonly exitCode: ExitCode
  readonly hint: string | undefined
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly details: readonly FailureDetail[] | undefined
  /** Who else has checked the book that it is about. */
  readonly checkedBy: readonly CheckedBy[] | undefined

  constructor(
    message: string,
    facts: FailureFacts & {
      status?: number
      requestId?: string | undefined
      details?: FailureDetail[] | undefined
      checkedBy?: readonly CheckedBy[] | undefined
    },
  ) {
    super(cutText(message), facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = cutText(facts.code)
    this.exitCode = facts.exitCode
    this.hint = facts.hint && cutText(facts.hint)
    this.status = facts.status
    this.requestId = facts.requestId && cutText(facts.requestId)
    this.details = facts.details?.map(cutDetail)
    this.checkedBy = facts.checkedBy
  }
}

const cutDetail = (detail: FailureDetail): FailureDetail => ({
  ...detail,
  message: cutText(detail.message),
  ...(detail.path && { path: detail.path.map(part => (typeof part === 'string' ? cutText(part) : part)) }),
  ...(detail.hint && { hint: cutText(detail.hint) }),
})

/** A copy of a failure with another hint. */
export const withHint = (failure: Failure, hint: string): Failure =>
  new Failure(failure.message, {
    code: failure.code,
    exitCode: failure.exitCode,
    requestId: failure.requestId,
    details: failure.details && [...failure.details],
    checkedBy: failure.checkedBy,
    hint,
    cause: failure,
    ...(failure.status === undefined ? {} : { status: failure.status }),
  })

/** The command line, the configuration or a local file is invalid. */
export class UsageFailure extends Failure {
  override readonly name: string = 'UsageFailure'
  constructor(
    message: string,
    { code = 'usage', hint, cause }: { code?: string; hint?: string; cause?: unknown } = {},
  ) {
    super(message, { code, hint, cause, exitCode: exitCodes.usage })
  }
}

/** The service or an upload store answered with an error. `code` is that of the answer, if there is one. */
export class ServiceFailure extends Failure {
  override readonly name: string = 'ServiceFailure'
  /** The `Retry-After` header of the answer. */
  readonly retryAfter: string | undefined
  /** The caller according to the service (§2.1), if authentication had succeeded. */
  readonly authentication: Readonly<Record<string, unknown>> | undefined

  constructor(
    message: string,
    facts: {
      status: number
      code: string
      retryAfter?: string | undefined
      authentication?: Readonly<Record<string, unknown>> | undefined
      requestId?: string | undefined
      details?: FailureDetail[] | undefined
      hint?: string | undefined
    },
  ) {
    super(message, { ...facts, exitCode: exitCodeOfStatus(facts.status, facts.code) })
    this.retryAfter = facts.retryAfter
    this.authentication = facts.authentication
  }
}

/** There was no usable answer: no connection, a broken or unreadable reply, or a timeout. */
export class NetworkFailure extends Failure {
  override readonly name: string = 'NetworkFailure'
  constructor(
    message: string,
    facts: { code?: string; hint?: string; status?: number; cause?: unknown } = {},
  ) {
    super(message, { ...facts, code: facts.code ?? 'network', exitCode: exitCodes.network })
  }
}

/** A question must be answered, and nobody can be asked. */
export class NobodyToAsk extends Failure {
  constructor(message: string, hint: string) {
    super(message, { code: 'input_needed', hint, exitCode: exitCodes.nobodyToAsk })
  }
}

/** A signal stopped the command. */
export class Interrupted extends Failure {
  constructor(signal: keyof typeof interruptions) {
    const [message, exitCode] = interruptions[signal]
    super(message, { code: 'interrupted', exitCode })
  }
}

const interruptions = {
  SIGHUP: ['hung up', exitCodes.hungUp],
  SIGINT: ['interrupted', exitCodes.interrupted],
  SIGTERM: ['terminated', exitCodes.terminated],
} as const

/** Whether a failure ends a batch, because every other item would meet it as well or the command was stopped. */
export const isFatal = ({ exitCode, code }: Failure): boolean =>
  /^journal_/.test(code) || code === 'unreachable' || fatalExitCodes.includes(exitCode)

const fatalExitCodes: readonly ExitCode[] = [
  exitCodes.notAuthenticated,
  exitCodes.hungUp,
  exitCodes.interrupted,
  exitCodes.terminated,
  exitCodes.nobodyToAsk,
]

/** The exit code for an error status of the service. */
function exitCodeOfStatus(status: number, code: string): ExitCode {
  if (status === 400 && code === 'ZOD_ERROR') return exitCodes.usage
  if (status === 401) return exitCodes.notAuthenticated
  if (status === 403) return exitCodes.forbidden
  if (status === 404) return exitCodes.notFound
  if (status === 429 || status >= 500) return exitCodes.network
  return exitCodes.refused
}

/** What the system has no more of, by the code of its error. */
const shortages: Readonly<Record<string, { says: string; hint: string }>> = {
  EMFILE: {
    says: 'too many files are open in this process',
    hint: 'Raise the limit, such as with: ulimit -n 1024',
  },
  ENFILE: {
    says: 'too many files are open on this machine',
    hint: 'End other programs, or raise its limit.',
  },
  EAGAIN: {
    says: 'no more processes may be started',
    hint: 'End other programs, or raise the limit: ulimit -u',
  },
  ENOMEM: {
    says: 'there is not enough memory',
    hint: 'End other programs, or upload fewer books at a time.',
  },
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** What to say, and what to do, where too many files are open; undefined for any other code of the system. */
export const lackOfHandles = (code: string): { says: string; hint: string } | undefined =>
  code === 'EMFILE' || code === 'ENFILE' ? shortages[code] : undefined

/** The failure for a process that the system did not start; `what` is such as "the process that reads PDFs". */
export function notStarted(what: string, error: unknown): UsageFailure {
  const code = codeOf(error)
  const { says, hint } = shortages[code] ?? { says: code, hint: 'Check that it may be run.' }
  return new UsageFailure(`${what} cannot be started: ${says}`, { code: 'not_started', hint, cause: error })
}

/** A failure as it is, that of a system whose limit is reached, or that of a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const shortage = lackOfHandles(codeOf(error))
  if (shortage)
    return new UsageFailure(shortage.says, { code: 'too_many_files', hint: shortage.hint, cause: error })
  return new Failure(`this is a fault in pubctl: ${error instanceof Error ? error.message : String(error)}`, {
    ...{ code: 'fault', exitCode: exitCodes.fault, cause: error },
    hint: 'Please report it with the command you ran; PUBCTL_DEBUG=1 shows where it happened.',
  })
}
