import type { Clock } from '../world.ts'
import { humanBytes, humanDuration } from './cell.ts'
import { neutraliseLine } from './neutralise.ts'
import { shorten } from './width.ts'
import type { Writer } from './writer.ts'

/** Tells a person, or a log, how one file is getting on. */
export interface Progress {
  /** The file's transfer starts; `total` in bytes. */
  sending(file: string, total: number): void
  sent(bytes: number): void
  /** What the service says of the file now. */
  state(text: string): void
  stop(): void
}

/** How often a log gets a line, in milliseconds. */
const logInterval = 10_000

export const silence: Progress = { sending() {}, sent() {}, state() {}, stop() {} }

/** A bar that redraws itself on a terminal; elsewhere a line at each step and one every ten seconds between. */
export function createProgress(err: Writer, clock: Clock): Progress {
  return err.isTerminal ? liveProgress(err, clock) : loggedProgress(err, clock)
}

/** Bytes, rate and time left of a transfer, from when it started. */
function transfer(clock: Clock) {
  let [file, total, started] = ['', 0, clock.monotonic()]
  return {
    begin(name: string, bytes: number) {
      ;[file, total, started] = [neutraliseLine(name), bytes, clock.monotonic()]
    },
    figures(sent: number) {
      const elapsed = Math.max(clock.monotonic() - started, 1)
      const rate = (sent / elapsed) * 1000
      const left = sent > 0 && elapsed > 1000 ? ((total - sent) / rate) * 1000 : undefined
      return {
        file,
        part: total === 0 ? 1 : sent / total,
        text: [
          `${humanBytes(sent)} of ${humanBytes(total)}`,
          elapsed > 500 && sent > 0 ? `${humanBytes(rate)}/s` : '',
          left === undefined || sent >= total ? '' : `${humanDuration(left)} left`,
        ]
          .filter(Boolean)
          .join('  '),
      }
    },
  }
}

function liveProgress(err: Writer, clock: Clock): Progress {
  const now = transfer(clock)
  let text = ''
  let spinner: { text: string; stop(): unknown } | undefined
  let isStopped = false
  const open = async () => {
    const { default: ora } = await import('ora')
    if (isStopped || !err.terminal) return
    const color = err.hasColour ? 'cyan' : false
    spinner = ora({ stream: err.terminal, text, discardStdin: false, color }).start()
  }
  let isOpening = false
  const show = (line: string) => {
    text = err.hide(line)
    if (spinner) spinner.text = text
    if (!isOpening) open().catch(() => undefined)
    isOpening = true
  }
  return {
    sending(file, total) {
      now.begin(file, total)
      this.sent(0)
    },
    sent(bytes) {
      const { file, part, text } = now.figures(bytes)
      const room = err.width - text.length - 14
      const width = Math.max(0, Math.min(24, room - 12))
      const filled = Math.round(part * width)
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
      show(
        `${shorten(file, Math.max(1, room - width))}  ${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${text}`,
      )
    },
    state: line => show(shorten(err.hide(neutraliseLine(line)), Math.max(1, err.width - 4))),
    stop() {
      isStopped = true
      spinner?.stop()
    },
  }
}

function loggedProgress(err: Writer, clock: Clock): Progress {
  const now = transfer(clock)
  let last = clock.monotonic()
  let lastState = ''
  const line = (text: string) => void err.write(`${text}\n`)
  return {
    sending(file, total) {
      now.begin(file, total)
      last = clock.monotonic()
      line(`${neutraliseLine(file)}: sending ${humanBytes(total)}`)
    },
    sent(bytes) {
      if (clock.monotonic() - last < logInterval) return
      last = clock.monotonic()
      const { file, part, text } = now.figures(bytes)
      line(`${file}: ${Math.round(part * 100)} %  ${text}`)
    },
    state(text) {
      if (text !== lastState) line(neutraliseLine(text))
      lastState = text
    },
    stop() {},
  }
}
