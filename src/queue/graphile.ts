import { createRequire, Module } from 'node:module'
import type * as Graphile from 'graphile-worker'
import type { Pool } from 'pg'
import { notInstalled } from './postgres/postgres.ts'
import { jobsSchema } from './schema.ts'

/** Loads the library of the queue, which is no part of pubctl. */
export function loadGraphile(): typeof Graphile {
  const load = createRequire(import.meta.url)
  try {
    searchNoConfiguration(load.resolve('graphile-worker'))
    return load('graphile-worker')
  } catch (error) {
    throw notInstalled('graphile-worker', error)
  }
}

/**
 * Once it is loaded, the library lets cosmiconfig search the current folder and all above it for a configuration, and run
 * what it finds. So it gets a stand-in that finds nothing.
 */
function searchNoConfiguration(library: string): void {
  const { resolve, cache } = createRequire(library)
  const path = pathOf('cosmiconfig', resolve)
  // A later version may do without it.
  if (path === undefined) return
  const standIn = new Module(path)
  standIn.exports = { cosmiconfigSync: () => ({ search: () => null }) }
  standIn.loaded = true
  cache[path] = standIn
}

function pathOf(name: string, resolve: NodeJS.RequireResolve): string | undefined {
  try {
    return resolve(name)
  } catch {
    return undefined
  }
}

/** What every use of the library shares. It says nothing by itself. */
export const graphileOptions = ({ Logger }: typeof Graphile, pgPool: Pool) => ({
  ...{ pgPool, schema: jobsSchema, noHandleSignals: true },
  logger: new Logger(() => () => undefined),
})
