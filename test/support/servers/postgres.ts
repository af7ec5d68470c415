import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { artefact } from '../machine/artefacts.ts'
import { copyCluster, handOver, user } from './postgres-cluster.ts'

/** A PostgreSQL server of the tests' own, in a temporary folder. */
export interface PostgresServer {
  /** Makes an empty database and gives its address. */
  database(): Promise<string>
  /** The address of a database by TCP in place of a socket. */
  tcp(url: string): string
  /** Runs a statement in a database. */
  query(url: string, sql: string): Promise<Record<string, unknown>[]>
  /** Stops it as an administrator would who restarts it: every connection is closed. */
  stop(): Promise<void>
  start(): Promise<void>
}

interface Settings {
  /** Its key and certificate, for TLS. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** Who may connect and how, in the words of pg_hba.conf; else everybody may. */
  readonly access?: readonly string[]
}

/**
 * Starts PostgreSQL before the tests of a file, unless all of them are skipped, and stops it after them. The settings are
 * asked for when it starts.
 */
export function usePostgres(isUsed = true, settings: () => Settings = () => ({})): PostgresServer {
  const server = openServer(settings)
  if (isUsed) {
    beforeAll(server.create)
    afterAll(server.remove)
  }
  return server
}

function openServer(
  settingsOf: () => Settings,
): PostgresServer & { create(): Promise<void>; remove(): Promise<void> } {
  let folder = ''
  let programs = ''
  let child: ChildProcess | undefined
  let databases = 0
  let port = 0
  const more: string[] = []
  const urlOf = (name: string) =>
    `postgres://postgres@localhost:${port}/${name}?host=${encodeURIComponent(folder)}`
  const query: PostgresServer['query'] = async (url, sql) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const server = {
    query,
    async create() {
      const cluster = await artefact('cluster')
      programs = cluster.programs
      folder = mkdtempSync(join(tmpdir(), 'pubctl-pg-'))
      handOver(folder)
      const data = join(folder, 'data')
      copyCluster(cluster, data)
      port = await freePort()
      const { certificate, access } = settingsOf()
      if (access) writeFileSync(join(data, 'pg_hba.conf'), access.map(line => `${line}\n`).join(''))
      if (certificate) {
        for (const [name, text] of Object.entries({
          'server.key': certificate.key,
          'server.crt': certificate.cert,
        })) {
          writeFileSync(join(data, name), text, { mode: 0o600 })
          handOver(join(data, name))
        }
        more.push('ssl=on')
      }
      await server.start()
    },
    async start() {
      const settings = [
        ...['fsync=off', 'synchronous_commit=off', 'max_connections=200'],
        ...['listen_addresses=127.0.0.1', `port=${port}`, ...more],
      ]
      const args = settings.flatMap(each => ['-c', each])
      child = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), '-k', folder, ...args], {
        ...user,
        stdio: 'ignore',
        cwd: folder,
      })
      for (;;) {
        try {
          return void (await query(urlOf('postgres'), 'SELECT 1'))
        } catch (error) {
          if (child.exitCode !== null)
            throw new Error(`PostgreSQL ended with ${child.exitCode}`, { cause: error })
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      }
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return
      const ended = once(child, 'exit')
      // The "fast" shutdown.
      child.kill('SIGINT')
      await ended
    },
    async database() {
      databases++
      const name = `test${databases}`
      await query(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    tcp: (url: string) => `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`,
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return server
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
