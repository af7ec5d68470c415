import type { Waiting } from '../../service/client/retry.ts'
import type { Clock } from '../../system/world.ts'
import { neutraliseLine } from './neutralise.ts'
import type { Progress } from './progress.ts'
import type { Writer } from './writer.ts'

/** Shows what a command is waiting for once it takes a while. */
export interface WaitingLine extends Waiting {
  /** Shows it in an existing live line until the returned function is called. */
  showIn(show: (text: string | undefined) => void): () => void
  close(): void
}

interface Pending {
  readonly name: string
  since: number
  retry: { readonly why: string; readonly at: number } | undefined
}

/** When a terminal shows a wait, in milliseconds. */
const showAfter = 2000
/** When a log tells that a request was not answered yet, in milliseconds. */
const logAfter = 10_000
/** How often a log repeats the same line, in milliseconds. */
const logInterval = 30_000

/** Shows nothing, for `--quiet` and JSON formats. */
export const silentWaiting: WaitingLine = {
  begin: () => ({ retrying() {}, moved() {}, end() {} }),
  showIn: () => () => undefined,
  close() {},
}

/** Shows waits in a live line at a terminal, else in lines of a log. `openProgress` opens the live line. */
export function createWaiting(err: Writer, clock: Clock, openProgress: () => Promise<Progress>): WaitingLine {
  const pending = new Set<Pending>()
  const loggedAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let line: Promise<Progress> | undefined
  let isShown = false
  let isClosed = false
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
    if (isClosed || now - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < logInterval) return
    loggedAt.set(key, now)
    void err.write(`${neutraliseLine(text)}\n`)
  }

  function update(): void {
    const now = clock.monotonic()
    const [oldest] = [...pending].filter(({ since }) => now - since >= showAfter)
    if (!err.isTerminal) {
      if (oldest && oldest.retry === undefined && now - oldest.since >= logAfter)
        log(`waiting for ${oldest.name} (${seconds(now - oldest.since)} so far)`, oldest.name)
      return
    }
    if (oldest) {
      const { name, since, retry } = oldest
      const left = retry === undefined ? 0 : retry.at - now
      // Without the address, because a live line has little room.
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
        timer = setInterval(update, 500)
        timer.unref()
      }
      return {
        retrying(why, pause) {
          const now = clock.monotonic()
          wait.retry = { why, at: now + pause }
          if (!err.isTerminal && now - wait.since + pause >= showAfter)
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
      isClosed = true
      clearInterval(timer)
      hide()
    },
  }
}

const seconds = (milliseconds: number): string => `${Math.max(1, Math.round(milliseconds / 1000))} s`
