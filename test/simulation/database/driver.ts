import { EventEmitter } from 'node:events'
import { createRequire, Module } from 'node:module'
import type { Clock } from '../../../src/system/world.ts'
import { actor, dead, type SimulatedProcess } from '../process.ts'
import type { Session, SimulatedServer } from './server.ts'
import type { Row } from './tables.ts'

/** A server and the way to it. */
export interface Database {
  readonly server: SimulatedServer
  readonly clock: Clock
  /** Waits for its turn among what is on its way. */
  turn(name: string): Promise<void>
}

/** As the driver says that a connection broke, and that none was made. */
const broken = () => new Error('Connection terminated unexpectedly')
const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

interface Result {
  readonly rows: Row[]
  readonly rowCount: number
}

type Told<T> = (error: Error | null | undefined, result?: T) => void

/** What the dead wait for. */
const never = () => new Promise<never>(() => {})

/** After so many milliseconds the server knows that a machine is gone, as it is told to look. */
const keptAlive = 25_000

/** A connection as the driver of PostgreSQL has it; its statements are points. */
class SimulatedClient extends EventEmitter {
  /** What the pool of the driver, and pubctl, look at. */
  _queryable = true
  _ending = false
  readonly host = '127.0.0.1'
  readonly connection = { ssl: true, stream: { destroy: () => this.#lose(broken()) } }
  readonly #process = actor() as SimulatedProcess
  #session: Session | undefined
  /** One statement is carried out after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #rejectAll = new Set<(error: Error) => void>()

  constructor() {
    super()
    const { life, machine } = this.#process
    life.addEventListener('abort', () => {
      this._queryable = false
      const session = this.#session
      if (!machine.isStopped) session?.end()
      else this.#database().clock.after(keptAlive, () => session?.end())
    })
  }

  connect(done?: Told<this>): Promise<void> | undefined {
    return this.#told(this.#connect(), done)
  }

  query(
    text: string | { text: string; values?: unknown[] },
    ...more: unknown[]
  ): Promise<Result> | undefined {
    const sql = typeof text === 'string' ? text : text.text
    const values = more.find(Array.isArray) ?? (typeof text === 'string' ? [] : (text.values ?? []))
    const done = more.find(each => typeof each === 'function') as Told<Result> | undefined
    const result = this.#last.then(() => this.#send(sql, values))
    this.#last = result.catch(() => undefined)
    return this.#told(result, done)
  }

  end(done?: () => void): Promise<void> | undefined {
    this._ending = true
    return this.#told(
      this.#last.then(() => {
        this.#session?.end()
        this.#close()
      }),
      done,
    )
  }

  // It is no socket, which would keep the process alive.
  ref(): void {}
  unref(): void {}

  async #connect(): Promise<void> {
    await this.#reach('connect', async () => {
      const { server } = this.#database()
      if (!server.isUp()) throw refused()
      this.#session = server.connect(
        channel => this.#hear(channel),
        () => this.#lose(broken()),
      )
    })
  }

  async #send(sql: string, values: readonly unknown[]): Promise<Result> {
    const session = this.#session
    if (!this._queryable || session === undefined) throw broken()
    const name = sql.startsWith('SET ') ? undefined : session.nameOf(sql)
    // What PostgreSQL reads, it reads from texts and numbers of its own.
    const sent = structuredClone(values)
    const rows = await this.#reach(name, () => session.carryOut(sql, sent))
    return { rows: structuredClone(rows), rowCount: rows.length }
  }

  /** Comes to a point of a name, does what is to be done there, and has go wrong what does. */
  async #reach<T>(name: string | undefined, step: () => Promise<T>): Promise<T> {
    const process = this.#process
    const lost = new Promise<never>((_, reject) => this.#rejectAll.add(reject))
    lost.catch(() => undefined)
    await Promise.race([this.#database().turn(`database ${this.#session?.number ?? ''} ${name}`), lost])
    if (process.life.aborted) return await never()
    const fault =
      name === undefined ? undefined : process.reach({ kind: 'database', name: `database: ${name}` })
    if (fault === 'die before') return await this.#die()
    if (fault === 'database restarts') this.#database().server.restart()
    if (fault === 'connection lost before') this.#lose(broken())
    if (!this._queryable || (name === 'connect' && fault === 'connection lost before')) throw broken()
    const result = await Promise.race([step(), lost])
    if (process.life.aborted) return await never()
    if (fault === 'die after') return await this.#die()
    if (fault === 'connection lost after') {
      this.#lose(broken())
      throw broken()
    }
    return result
  }

  async #die(): Promise<never> {
    dead(this.#process)
    return await never()
  }

  #database(): Database {
    return databaseOf(this.#process)
  }

  #hear(channel: string): void {
    const { life, within } = this.#process
    void this.#database()
      .turn(`database ${this.#session?.number} hear`)
      .then(() => {
        if (!life.aborted && this._queryable)
          within(() => this.emit('notification', { channel, payload: '{"count":1}' }))
      })
  }

  /** The connection breaks: what is under way fails, and whoever listens is told. */
  #lose(error: Error): void {
    if (!this._queryable) return
    this.#session?.end()
    const { life, within } = this.#process
    if (life.aborted) return void this.#close()
    for (const reject of this.#rejectAll) reject(error)
    within(() => {
      if (!this._ending && this.#session) this.emit('error', error)
      this.#close()
    })
  }

  #close(): void {
    if (!this._queryable) return
    this._queryable = false
    process.nextTick(() => this.#process.within(() => this.emit('end')))
  }

  /** Tells a result by a callback, if there is one, or by a promise. */
  #told<T>(result: Promise<T>, done: Told<never> | undefined): Promise<T> | undefined {
    if (!done) return result
    const { within } = this.#process
    const tell = (error: Error | null, value?: T) =>
      within(() => (done as Told<T>)(error ?? undefined, value))
    result.then(
      value => tell(null, value),
      error => tell(error),
    )
    return undefined
  }
}

const databases = new WeakMap<object, Database>()

/** Has the processes of a machine find a database. */
export function connectMachine(machine: object, database: Database): void {
  databases.set(machine, database)
}

const databaseOf = ({ machine }: SimulatedProcess): Database => databases.get(machine) as Database

/**
 * Has the library of the queue loaded anew when it is needed again: it keeps what each worker had for as long as the process lasts,
 * which here is that of thousands of workers.
 */
export function forgetWorkers(): void {
  const { cache } = createRequire(import.meta.url)
  for (const path of Object.keys(cache)) if (/[\\/]graphile-worker[\\/]/.test(path)) delete cache[path]
}

/** Has the program load a driver whose server is the stand-in. The pool is the driver's own. To be called before it is loaded. */
export function simulateDatabase(): void {
  const { resolve, cache } = createRequire(import.meta.url)
  let path: string
  try {
    path = resolve('pg')
  } catch {
    // It is no part of pubctl, and not installed everywhere.
    return
  }
  const load = createRequire(path)
  const Pool: new (options: object) => object = load('pg-pool')
  class SimulatedPool extends Pool {
    constructor(options: object) {
      super({ Client: SimulatedClient, ...options })
    }
  }
  const { escapeIdentifier, escapeLiteral }: Record<string, unknown> = load('./utils')
  Object.assign(SimulatedClient.prototype, { escapeIdentifier, escapeLiteral })
  const standIn = new Module(path)
  standIn.exports = { Client: SimulatedClient, Pool: SimulatedPool }
  standIn.loaded = true
  cache[path] = standIn
}
