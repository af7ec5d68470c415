import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { WatchEvent } from '../../src/watching/events.ts'
import { machine, type Options, temporaryFolder } from './pubctl.ts'

/** What makes a look at a folder short. */
export const quick = ['--once', '--quiet-period', '50ms', '--scan', '50ms']

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
      const events = out
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as WatchEvent)
      return { code, err, events, of: (name: string) => events.filter(({ event }) => event === name) }
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
