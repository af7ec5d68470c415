import { Console } from 'node:console'
import { Writable } from 'node:stream'

/**
 * Gives what libraries print by themselves to a function, a line at a time, so that nothing reaches the terminal unchecked.
 * Returns what undoes it.
 */
export function captureConsole(onLine: (line: string) => void): () => void {
  const before = globalThis.console
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      for (const line of chunk.toString().split('\n')) if (line.trim() !== '') onLine(line)
      done()
    },
  })
  globalThis.console = new Console(stream)
  return () => {
    globalThis.console = before
  }
}
