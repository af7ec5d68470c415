import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { PlanStep } from '../../../src/plan/plan-step.ts'
import type { ServiceOptions } from '../../../src/sandbox/index.ts'
import { makeBooks } from '../books/book-folder.ts'
import { createStep, writePlan } from '../catalogues/plan-file.ts'
import { environment } from '../machine/bin.ts'
import { bin } from '../machine/bin-path.ts'
import { machine, temporaryFolder } from '../machine/pubctl.ts'
import type { PostgresServer } from './postgres.ts'
import { sandbox } from './sandbox.ts'

/** A plan of so many books for a service of its own, and a queue of its own. */
export async function queueScene(
  postgres: PostgresServer,
  count: number,
  {
    program = bin,
    PATH,
    ...options
  }: Pick<ServiceOptions, 'processingDelayMs' | 'variants'> & { program?: string; PATH?: string } = {},
) {
  const folder = temporaryFolder()
  const [books, dataDir, plan, home] = ['books', 'data', 'plan.ndjson', 'home'].map(name =>
    join(folder, name),
  ) as [string, string, string, string]
  mkdirSync(home)
  const made = await makeBooks(books, count)
  const { baseUrl, keys, ok, key: keyNamed } = await sandbox({ dataDir, processingDelayMs: 20, ...options })
  const key = keyNamed('full')
  const { context } = await ok('GET', '/v1/publications?limit=1')
  const { scopeId } = context.authentication
  const steps = made.titles.map((title, index) =>
    createStep(join(books, `${title}.epub`), String(9780000000000 + index), title),
  )
  const write = (which: readonly PlanStep[], more = {}) =>
    writePlan(plan, { baseUrl, scopeId, ...more }, which)
  write(steps)
  const database = await postgres.database()
  const env = { PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key, PUBCTL_DATABASE_URL: database }
  const { run } = machine(env)
  return {
    ...{
      ...made,
      books,
      dataDir,
      plan,
      steps,
      write,
      baseUrl,
      key,
      keys,
      scopeId,
      database,
      env,
      run,
      ok,
    },
    /** Starts a worker as a process of its own, of `program` and with a PATH if those are given. */
    worker(...args: readonly string[]): Worker {
      const child = spawn(process.execPath, [program, 'worker', ...args], {
        env: environment({ HOME: home, ...env, ...(PATH !== undefined && { PATH }) }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      const texts = { out: '', err: '' }
      child.stdout.on('data', chunk => {
        texts.out += chunk
      })
      child.stderr.on('data', chunk => {
        texts.err += chunk
      })
      return { child, texts, ended: ended.then(([code, signal]) => code ?? signal) }
    },
    async status() {
      const { code, out, err } = await run(['queue', 'status', '--json', '--failures', '1000'])
      if (code !== 0) throw new Error(err)
      return JSON.parse(out)
    },
    /** All publications of the service. */
    async publications() {
      const { out } = await run(['publications', 'list', '--all', '--json'])
      return JSON.parse(out) as { title: string; uploadStatus: string }[]
    },
    planText: () => readFileSync(plan, 'utf8'),
  }
}

interface Worker {
  readonly child: ChildProcess
  readonly texts: { out: string; err: string }
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}
