import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { WatchEvent } from '../../../src/watch/events.ts'
import { environment } from './bin.ts'
import { bin } from './bin-path.ts'

export interface Watcher {
  readonly child: ChildProcess
  /** What it has said so far. */
  readonly events: readonly WatchEvent[]
  /** Everything that it wrote to stderr. */
  readonly errors: () => string
  /** Resolves once something was said, at once if it was. */
  said(isMeant: (event: WatchEvent) => boolean): Promise<WatchEvent>
  /** Ends it by a signal, and gives its exit code; null if the signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  /** Its exit code, once it has ended by itself. */
  ended(): Promise<number | null>
}

/** Starts `pubctl watch` as a process, which ends with the test. */
export function startWatcher(
  folder: string,
  { home, baseUrl, key }: { home: string; baseUrl: string; key: string },
  more: readonly string[] = [],
): Watcher {
  mkdirSync(home, { recursive: true })
  const child = spawn(process.execPath, [bin, 'watch', folder, '-o', 'ndjson', ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment({ HOME: home, PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const events: WatchEvent[] = []
  const ended = once(child, 'close')
  let [rest, errors] = ['', '']
  let notify = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    events.push(...lines.map(line => JSON.parse(line) as WatchEvent))
    notify()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const end = async () => (await ended)[0] as number | null
  return {
    child,
    ended: end,
    events,
    errors: () => errors,
    async said(isMeant) {
      for (;;) {
        const found = events.find(isMeant)
        if (found) return found
        await Promise.race([
          new Promise<void>(resolve => {
            notify = resolve
          }),
          ended.then(() => {
            if (!events.some(isMeant)) throw new Error(`the watcher ended: ${errors}`)
          }),
        ])
      }
    },
    async stop(signal) {
      child.kill(signal)
      return await end()
    },
  }
}
