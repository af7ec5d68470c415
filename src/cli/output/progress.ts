import type { Clock } from '../../system/world.ts'
import { humanBytes, humanDuration } from './cell.ts'
import { openLiveText } from './live-lines.ts'
import { neutraliseLine } from './neutralise.ts'
import { shorten } from './width.ts'
import type { Writer } from './writer.ts'

/** Shows the progress of one file, at a terminal or in a log. */
export interface Progress {
  /** The transfer starts; `total` is in bytes. */
  sending(file: string, total: number): void
  sent(bytes: number): void
  /** The current state of the file at the service, as text. */
  state(text: string): void
  stop(): void
}

/** The interval of lines in a log, in milliseconds. */
const logInterval = 10_000

/** Shows nothing, for `--quiet` and JSON formats. */
export const silentProgress: Progress = { sending() {}, sent() {}, state() {}, stop() {} }

/** A live bar at a terminal, else a line for each step and one every ten seconds. */
export function createProgress(err: Writer, clock: Clock): Progress {
  return err.isTerminal ? liveProgress(err, clock) : loggedProgress(err, clock)
}

/** Computes the part, rate and remaining time of a transfer. */
function transferStatus(clock: Clock) {
  let [file, total, started] = ['', 0, clock.monotonic()]
  return {
    begin(name: string, bytes: number) {
      ;[file, total, started] = [neutraliseLine(name), bytes, clock.monotonic()]
    },
    at(sent: number) {
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
  const transfer = transferStatus(clock)
  const live = openLiveText(err)
  return {
    sending(file, total) {
      transfer.begin(file, total)
      this.sent(0)
    },
    sent(bytes) {
      const { file, part, text } = transfer.at(bytes)
      const room = err.width - text.length - 14
      const width = Math.max(0, Math.min(24, room - 12))
      const filled = Math.round(part * width)
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
      live.show(
        `${shorten(file, Math.max(1, room - width))}  ${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${text}`,
      )
    },
    state: line => live.show(shorten(err.hide(neutraliseLine(line)), Math.max(1, err.width - 4))),
    stop: live.stop,
  }
}

function loggedProgress(err: Writer, clock: Clock): Progress {
  const transfer = transferStatus(clock)
  let last = clock.monotonic()
  let lastState = ''
  const line = (text: string) => void err.write(`${text}\n`)
  return {
    sending(file, total) {
      transfer.begin(file, total)
      last = clock.monotonic()
      line(`${neutraliseLine(file)}: sending ${humanBytes(total)}`)
    },
    sent(bytes) {
      if (clock.monotonic() - last < logInterval) return
      last = clock.monotonic()
      const { file, part, text } = transfer.at(bytes)
      line(`${file}: ${Math.round(part * 100)} %  ${text}`)
    },
    state(text) {
      if (text !== lastState) line(neutraliseLine(text))
      lastState = text
    },
    stop() {},
  }
}
