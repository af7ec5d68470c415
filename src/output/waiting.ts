import type { Clock } from '../world.ts'
import { neutraliseLine } from './neutralise.ts'
import type { Progress } from './progress.ts'
import type { Writer } from './writer.ts'

/** What one operation is waiting for. */
interface Wait {
  /** It failed with `why` and is tried again after so many milliseconds. */
  again(why: string, pause: number): void
  /** Bytes moved, which is not waiting. */
  moved(): void
  end(): void
}

/** Shows what a command is waiting for, once it takes longer than a person expects. */
export interface Waiting {
  /** `name` is the other side in words. */
  begin(name: string): Wait
  /** Has it shown where there is a live line already, until the returned function is called. */
  showIn(show: (text: string | undefined) => void): () => void
  close(): void
}

interface Pending {
  readonly name: string
  since: number
  retry: { readonly why: string; readonly at: number } | undefined
}

/** After so many milliseconds a person is told, and a log about a request that is not answered. */
const [soon, logged] = [2000, 10_000]

/** How often a log is told the same thing, in milliseconds. */
const repeated = 30_000

export const silentWaiting: Waiting = {
  begin: () => ({ again() {}, moved() {}, end() {} }),
  showIn: () => () => undefined,
  close() {},
}

/** On a terminal a live line of its own, or a part of one that is there; elsewhere a line for each thing to tell. */
export function createWaiting(err: Writer, clock: Clock, openProgress: () => Promise<Progress>): Waiting {
  const pending = new Set<Pending>()
  const told = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let line: Promise<Progress> | undefined
  let isShown = false
  const showAlone = (text: string | undefined): void => {
    line ??= text === undefined ? undefined : openProgress()
    const current = line
    if (text === undefined) line = undefined
    current
      ?.then(progress => (text === undefined ? progress.stop() : progress.state(text)))
      .catch(() => undefined)
  }
  let show = showAlone

  const log = (text: string, key: string): void => {
    const now = clock.monotonic()
    if (now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < repeated) return
    told.set(key, now)
    void err.write(`${neutraliseLine(text)}\n`)
  }

  function look(): void {
    const now = clock.monotonic()
    const [oldest] = [...pending].filter(({ since }) => now - since >= soon)
    if (!err.isTerminal) {
      if (oldest && oldest.retry === undefined && now - oldest.since >= logged)
        log(`waiting for ${oldest.name} (${seconds(now - oldest.since)} so far)`, oldest.name)
      return
    }
    if (oldest) {
      const { name, since, retry } = oldest
      const left = retry === undefined ? 0 : retry.at - now
      // A live line has little room, and a person knows the address.
      const brief = name.split(' at ')[0] as string
      const why = retry?.why.replace(name, brief)
      show(
        left > 0
          ? `${why}, again in ${seconds(left)}`
          : `waiting for ${brief} (${seconds(now - since)}${why ? `; ${why}` : ''})`,
      )
      isShown = true
    } else hide()
  }
  function hide(): void {
    if (isShown) show(undefined)
    isShown = false
  }

  return {
    begin(name) {
      const wait: Pending = { name, since: clock.monotonic(), retry: undefined }
      pending.add(wait)
      if (timer === undefined) {
        timer = setInterval(look, 500)
        timer.unref()
      }
      return {
        again(why, pause) {
          const now = clock.monotonic()
          wait.retry = { why, at: now + pause }
          if (!err.isTerminal && now - wait.since + pause >= soon)
            log(`${why}, again in ${seconds(pause)}`, why)
        },
        moved() {
          wait.since = clock.monotonic()
          wait.retry = undefined
        },
        end() {
          pending.delete(wait)
          if (isShown && pending.size === 0) hide()
        },
      }
    },
    showIn(other) {
      hide()
      show = other
      return () => {
        hide()
        show = showAlone
      }
    },
    close() {
      clearInterval(timer)
      hide()
    },
  }
}

const seconds = (milliseconds: number): string => `${Math.max(1, Math.round(milliseconds / 1000))} s`
