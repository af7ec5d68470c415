import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import type { WatchEvent } from '../../../src/watch/events.ts'
import { machine, type Options, temporaryFolder } from './pubctl.ts'

/** What makes a look at a folder short. */
export const quick = ['--once', '--quiet-period', '50ms', '--scan', '50ms']

type IsMeant = (event: WatchEvent) => boolean

/** The events in what a watcher printed, of which the last line may not be whole. */
const eventsIn = (out: string): WatchEvent[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as WatchEvent)

/** A person with an empty folder that is watched now and then. */
export function watchScene() {
  const folder = temporaryFolder()
  const { sandbox, home } = machine()
  const at = (...names: string[]) => join(folder, ...names)
  return {
    folder,
    home,
    at,
    sandbox,
    put: async (name: string, title: string, paddingBytes = 100) =>
      writeFileSync(at(name), await makeExampleEpub({ title, paddingBytes })),
    async watch(more: readonly string[] = [], options?: Options) {
      const { code, out, err } = await sandbox(['watch', folder, '-o', 'ndjson', ...quick, ...more], options)
      const events = eventsIn(out)
      return { code, err, events, of: (name: string) => events.filter(({ event }) => event === name) }
    },
    /** Starts a watcher that goes on until it is stopped, or ends by itself. */
    start(more: readonly string[], options?: Options) {
      const stop = new AbortController()
      let events: WatchEvent[] = []
      const notify = new Set<() => void>()
      const running = sandbox(
        ['watch', folder, '-o', 'ndjson', '--quiet-period', '20ms', '--scan', '20ms', ...more],
        {
          ...options,
          signal: stop.signal,
          onOut(text) {
            events = eventsIn(text)
            for (const each of notify) each()
          },
        },
      )
      const end = async () => {
        stop.abort(new Error('the test stops it'))
        return await running
      }
      onTestFinished(async () => void (await end()))
      return {
        running,
        of: (name: string) => events.filter(({ event }) => event === name),
        /** Resolves once something was said, at once if it was. */
        async said(name: string, isMeant: IsMeant = () => true): Promise<WatchEvent> {
          const find = () => events.find(each => each.event === name && isMeant(each))
          const gone = running.then(({ err }) => {
            throw new Error(`the watcher ended: ${err}`)
          })
          let look = () => {}
          const told = new Promise<WatchEvent>(resolve => {
            look = () => {
              const found = find()
              if (found) resolve(found)
            }
            notify.add(look)
            look()
          })
          return await Promise.race([told, gone]).finally(() => notify.delete(look))
        },
        stop: end,
      }
    },
    titles: async () => {
      const { out } = await sandbox(['publications', 'list', '--all', '--json'])
      return (JSON.parse(out) as { title: string }[]).map(({ title }) => title).sort()
    },
    receipt: (...names: string[]) => JSON.parse(readFileSync(at(...names), 'utf8')),
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort(),
  }
}
