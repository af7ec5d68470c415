import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildAnswer, Question, Way } from './child.ts'
import { processorTimeOf } from './processor-time.ts'
import type { ReaderName } from './readers.ts'

/** The memory for the heap, in MiB. */
const heap = 256

/** So often a process is waited for once more that has had little of the processor, as on a busy machine. */
const mostPatience = 5

/** A disk in memory, where there is one. */
const memory = '/dev/shm'

/** A process that reads inputs, and what it means when it does not answer. */
export interface ReadingProcess {
  /** Reads an input, in a new process after one that hung or died; `known` are the branches that its reader has reached. */
  read(reader: ReaderName, input: Buffer, way: Way, known?: ReadonlySet<string>): Promise<ChildAnswer>
  /** Ends the process; the next input gets a new one. */
  end(): Promise<void>
}

/**
 * Starts the process that reads inputs, when there is one to read; `bundle` is what it runs, and `longest` what one input may take by
 * the clock, in milliseconds.
 */
export function readingProcess(bundle: string, longest = 30_000): ReadingProcess {
  let running: Promise<ChildProcess> | undefined
  let folder: string | undefined
  /** The readers whose branches the process knows. */
  const told = new Set<ReaderName>()

  async function start(): Promise<ChildProcess> {
    folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'pubctl-fuzz-'))
    const child = fork(bundle, [folder], {
      execArgv: [`--max-old-space-size=${heap}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', code => reject(new Error(`the reading process ended with ${code} before it read`)))
    })
    child.removeAllListeners()
    return child
  }

  async function end(): Promise<void> {
    const child = await running
    running = undefined
    told.clear()
    if (child && child.exitCode === null && child.signalCode === null) {
      await new Promise(resolve => {
        child.once('exit', resolve)
        child.kill('SIGKILL')
      })
    }
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }

  return {
    end,
    async read(reader, input, way, known) {
      running ??= start()
      const child = await running
      const answer = await new Promise<ChildAnswer | 'hang' | 'death'>(resolve => {
        const worked = processorTimeOf(child.pid)
        let patience = worked === undefined ? 0 : mostPatience
        const isStarved = () => (processorTimeOf(child.pid) ?? 0) - (worked ?? 0) < longest / 2
        const late = () => {
          if (patience-- > 0 && isStarved()) timer = setTimeout(late, longest)
          else resolve('hang')
        }
        let timer = setTimeout(late, longest)
        const done = (answer: ChildAnswer | 'death') => {
          clearTimeout(timer)
          resolve(answer)
        }
        child.once('message', found => done(found as ChildAnswer))
        child.once('exit', () => done('death'))
        child.send({
          reader,
          input,
          way,
          known: told.has(reader) ? undefined : [...(known ?? [])],
        } satisfies Question)
        told.add(reader)
      })
      child.removeAllListeners()
      if (typeof answer === 'object') return answer
      await end()
      const what = answer === 'hang' ? 'it does not end' : 'the process died, as of its memory'
      return { findings: [{ kind: answer, what, line: reader }], fresh: { branches: [], ran: [] }, time: 0 }
    },
  }
}
