import { neutraliseLine } from './neutralise.ts'
import { shorten } from './width.ts'
import type { Writer } from './writer.ts'

/** A few lines at the bottom of a terminal that are drawn anew, while other output goes on above them. */
export interface LiveLines {
  show(lines: readonly string[]): void
  /** Removes the lines while `print` prints something else. */
  withoutLines(print: () => void): void
  stop(): void
}

/** The writer must be that of a terminal. */
export function openLiveLines(err: Writer): LiveLines {
  let spinner: { text: string; clear(): unknown; render(): unknown; stop(): unknown } | undefined
  let text = ''
  let isStopped = false
  const { terminal } = err
  if (terminal) {
    import('ora')
      .then(({ default: ora }) => {
        if (isStopped) return
        const color = err.hasColour ? 'cyan' : false
        spinner = ora({ stream: terminal, text, discardStdin: false, color }).start()
      })
      .catch(() => undefined)
  }
  return {
    show(lines) {
      const width = Math.max(10, err.width - 4)
      text = lines.map(line => shorten(err.hide(neutraliseLine(line)), width)).join('\n')
      if (spinner) spinner.text = text
    },
    withoutLines(print) {
      spinner?.clear()
      print()
      spinner?.render()
    },
    stop() {
      isStopped = true
      spinner?.stop()
    },
  }
}
