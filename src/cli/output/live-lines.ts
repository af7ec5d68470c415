import type { Ora } from 'ora'
import { neutraliseLine } from './neutralise.ts'
import { shorten } from './width.ts'
import type { Writer } from './writer.ts'

/** A text at the bottom of a terminal that is drawn anew, while other output goes on above it. */
export interface LiveText {
  show(text: string): void
  /** Removes the text while `print` prints something else. */
  without(print: () => void): void
  /** Removes the text while something is asked. What is printed meanwhile waits for the answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>
  stop(): void
}

/** Draws nothing before the first text, and nothing at all where the writer is not that of a terminal. */
export function openLiveText(err: Writer): LiveText {
  let spinner: Ora | undefined
  let held: (() => void)[] | undefined
  let text = ''
  let [isOpening, isStopped] = [false, false]
  const open = async (): Promise<void> => {
    isOpening = true
    const { default: ora } = await import('ora')
    if (isStopped || !err.terminal) return
    const color = err.hasColour ? 'cyan' : false
    spinner = ora({ stream: err.terminal, text, discardStdin: false, color })
    if (!held) spinner.start()
  }
  return {
    show(shown) {
      text = err.hide(shown)
      if (spinner) spinner.text = text
      else if (!isOpening && err.terminal) open().catch(() => undefined)
    },
    without(print) {
      if (held) return void held.push(print)
      spinner?.clear()
      print()
      spinner?.render()
    },
    async whileAsking(ask) {
      const waiting: (() => void)[] = []
      held = waiting
      spinner?.stop()
      try {
        return await ask()
      } finally {
        held = undefined
        for (const print of waiting) print()
        if (!isStopped) spinner?.start()
      }
    },
    stop() {
      isStopped = true
      spinner?.stop()
    },
  }
}

/** Lines from outside, each made to fit the terminal beside the spinner. */
export const liveLines = (lines: readonly string[], err: Writer): string =>
  lines.map(line => shorten(err.hide(neutraliseLine(line)), Math.max(10, err.width - 4))).join('\n')
