import { readFileSync, readlinkSync } from 'node:fs'
import { isAlive } from './is-alive.ts'
import { shortHash } from './short-hash.ts'

/** What tells a process from another one of the same id. */
export interface ProcessIdentity {
  /** The processes among which the id is unique, where the system tells; a container has its own. */
  readonly processes: string | null
  /** When the process started, in the system's own unit: an id is used again after a while. */
  readonly started: string | null
}

/** Reads from Linux what tells a process from others; other systems say nothing. */
export function identityOf(pid: number | 'self'): ProcessIdentity {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const processes = `${boot} ${readlinkSync('/proc/self/ns/pid')}`
    // The name of the program, in brackets, may hold anything; its state and, as the 20th value, its start follow.
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const values = status.slice(status.lastIndexOf(')') + 2).split(' ')
    // One that was killed keeps its id until whoever started it has asked for its end.
    return { processes, started: values[0] === 'Z' ? 'ended' : (values[19] ?? null) }
  } catch {
    return { processes: null, started: null }
  }
}

/** Where the system says nothing. */
const unsaid = '0'

/** A short name for the processes. */
const namespaceMarkOf = ({ processes }: ProcessIdentity): string =>
  processes === null ? unsaid : shortHash(processes)

let own: string | undefined

/** What this process puts into the names of files that it is going to rename or delete. */
export function processMark(): string {
  own ??= processMarkOf(process.pid, identityOf('self'))
  return own
}

/** What another process puts there. */
export const processMarkOf = (pid: number, identity: ProcessIdentity): string =>
  [pid, namespaceMarkOf(identity), identity.started ?? unsaid].join('-')

/** The mark of a process, as a part of a regular expression. */
export const processMarkPattern = '\\d{1,10}-[0-9a-f]{1,10}-\\d{1,20}'

const day = 24 * 60 * 60 * 1000

/**
 * How old a file with this mark must be, in milliseconds, to have been left by a process that was killed: 0 if that process is
 * known to be gone, and `elsewhere` if it may run where this one cannot look it up, such as on another machine.
 */
export function lifetimeOfMarked(mark: string, elsewhere: number): number {
  const [id, place, started] = mark.split('-')
  const pid = Number(id)
  if (place !== namespaceMarkOf(identityOf('self'))) return elsewhere
  if (place === unsaid) return isAlive(pid) ? day : elsewhere
  return isAlive(pid) && started === (identityOf(pid).started ?? started) ? Number.POSITIVE_INFINITY : 0
}
