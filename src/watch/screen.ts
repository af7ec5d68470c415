import { basename } from 'node:path'
import type { Context } from '../cli/context.ts'
import { humanBytes } from '../cli/output/cell.ts'
import { type LiveText, liveLines, openLiveText } from '../cli/output/live-lines.ts'
import type { UploadHooks } from './upload-books.ts'

/** What a terminal shows below the events: what is under way, and how many files wait. */
export interface Screen {
  begin(files: readonly { readonly path: string; readonly stamp: { readonly bytes: bigint } }[]): void
  step: UploadHooks['onStep']
  end(path: string): void
  endAll(): void
  show(waiting: number, counts: { readonly done: number; readonly failed: number }): void
  /** What the command waits for. */
  waiting(text: string | undefined): void
  withoutLines(print: () => void): void
  stop(): void
}

/** How many files are shown that are under way. */
const most = 5

export function openScreen({ err, out, isQuiet }: Context): Screen {
  // Events in a pipe need no screen beside them, even if stderr is a terminal.
  const live: LiveText | undefined =
    isQuiet || !out.isTerminal || err.terminal === undefined ? undefined : openLiveText(err)
  const underWay = new Map<string, { bytes: number; sent: number; state: string }>()
  let [waiting, done, failed] = [0, 0, 0]
  let outside = ''

  function draw(): void {
    if (live === undefined) return
    const busy = [...underWay].filter(([, { sent, state }]) => sent > 0 || state !== '')
    const rest = underWay.size - Math.min(busy.length, most)
    const lines = [
      [
        underWay.size > 0 ? `${underWay.size} under way` : 'watching',
        `${waiting} waiting`,
        `${done} done`,
        failed > 0 ? `${failed} failed` : '',
        outside,
      ]
        .filter(Boolean)
        .join('  '),
      ...busy
        .slice(0, most)
        .map(([path, { bytes, sent, state }]) =>
          [
            `  ${basename(path)}`,
            state === '' ? `${percent(sent, bytes)} of ${humanBytes(bytes)}` : state,
          ].join('  '),
        ),
      ...(rest > 0 && busy.length > 0 ? [`  and ${rest} more`] : []),
    ]
    live.show(liveLines(lines, err))
  }

  return {
    begin(files) {
      for (const { path, stamp } of files)
        underWay.set(path, { bytes: Number(stamp.bytes), sent: 0, state: '' })
      draw()
    },
    step(file, step) {
      const known = underWay.get(file)
      if (known === undefined) return
      if (step.step === 'sending') Object.assign(known, { sent: step.sent, state: '' })
      else known.state = step.text
      draw()
    },
    end(path) {
      underWay.delete(path)
      draw()
    },
    endAll() {
      underWay.clear()
      draw()
    },
    show(count, counts) {
      ;[waiting, done, failed] = [count, counts.done, counts.failed]
      draw()
    },
    waiting(text) {
      outside = text ?? ''
      draw()
    },
    withoutLines: print => (live ? live.without(print) : print()),
    stop: () => live?.stop(),
  }
}

const percent = (part: number, all: number): string => `${all === 0 ? 100 : Math.floor((part / all) * 100)} %`
