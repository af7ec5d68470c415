import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { processMarkPattern } from '../../src/system/process-mark.ts'

/** A scenario, and where a process dies in it, both as a command line has them. */
interface Death {
  readonly scenario: string
  readonly fault: string
}

/**
 * What is in the home folders of all machines after a death: of a process that the system kills `at-once`, or of one that is only
 * refused everything, `afterwards`. Undefined if the process does not come to the point. `folder` is made anew, at the same place each
 * time, since paths are written down.
 */
export function leftByDead(
  program: string,
  { scenario, fault }: Death,
  killed: 'at-once' | 'afterwards',
  folder: string,
): Record<string, unknown> | undefined {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const { signal, status } = spawnSync(process.execPath, [
    ...[program, '--replay', '--scenario', scenario, '--mood', 'usual', '--fault', fault],
    ...['--folder', folder, '--killed', killed],
  ])
  if (signal === null && status === 0) return undefined
  if (signal !== 'SIGKILL') throw new Error(`${scenario} ended with ${signal ?? status} at ${fault}`)
  const worlds = readdirSync(folder).filter(name => name.startsWith('world-'))
  const [last = ''] = worlds.sort((one, other) => numberIn(other) - numberIn(one))
  return contentOf(join(folder, last))
}

const numberIn = (name: string) => Number(name.replace(/\D/g, ''))

/** The files of all machines, by their names, without what tells one real process from another. */
function contentOf(world: string): Record<string, unknown> {
  const mark = new RegExp(processMarkPattern, 'g')
  const files = readdirSync(world, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.parentPath.includes('home-'))
    .map(entry => join(entry.parentPath, entry.name))
    // SQLite's log is read with its database, and the index of the log made anew.
    .filter(path => !/-(wal|shm)$/.test(path))
  return Object.fromEntries(
    files.sort().map(path => {
      const content = path.endsWith('.db')
        ? rowsOf(path)
        : readFileSync(path, 'latin1').replace(mark, '{mark}')
      return [path.slice(world.length).replace(mark, '{mark}'), content]
    }),
  )
}

/** Everything in a database. */
function rowsOf(path: string): Record<string, unknown> {
  const db = new Libsql(path)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[]
  const rows = tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()])
  db.close()
  return Object.fromEntries(rows)
}
