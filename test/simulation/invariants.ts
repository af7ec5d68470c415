import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exitCodes } from '../../src/system/errors.ts'
import type { Mood } from './moods.ts'
import type { Scenario, WantedPublication } from './scenarios.ts'
import type { HeldPublication } from './service.ts'
import type { Ended, SimulatedWorld } from './world.ts'

/** What must hold in a history. */
interface Held {
  readonly scenario: Scenario
  readonly mood: Mood
  readonly world: SimulatedWorld
  /** Whether only a person knows what is to be done with what was begun. */
  readonly isLeftToPeople: () => boolean
}

/**
 * `isWhole`: whether it is the command that does all. Throws if what a run says of itself is not so: nothing is called done that is
 * not, nothing lost that is there, and nothing left the watched folder that was not uploaded.
 */
export function holdsAfter({ args, code, out, err }: Ended, held: Held, isWhole: boolean): void {
  const { scenario, world } = held
  const { service } = world
  if (scenario.hotFolder !== undefined) holdsInFolder(join(world.home(), scenario.hotFolder), held)
  if (scenario.isQueue) holdsInQueue(held)
  if (code === null) return
  const said = `${args.slice(0, 2).join(' ')} ended with ${code}: ${out}${err}`
  if (code === exitCodes.fault) throw new Error(`a fault of pubctl itself; ${said}`)
  const receipts = receiptsIn(out)
  for (const { outcome, publicationId, editionId, uploadStatus, id } of receipts) {
    if (outcome !== 'uploaded' && outcome !== 'skipped' && outcome !== 'updated') continue
    if (scenario.wantedAssets && id !== undefined) {
      const asset = service.assets().find(each => each.id === id)
      if (!scenario.wantedAssets.some(({ file }) => file === asset?.file))
        throw new Error(`an asset is called ${outcome} that the service does not have; ${said}`)
      continue
    }
    // What was put into a session is no book yet, and a sheet is none at all.
    if (publicationId === undefined || publicationId === null) continue
    const publication = service.held().find(each => each.id === publicationId)
    const edition = publication?.editions.find(each => each.id === editionId)
    const wanted = scenario.wanted.find(({ title }) => title === publication?.title)
    if (!wanted?.editions.some(({ file }) => file === edition?.file))
      throw new Error(`a receipt calls ${outcome} what the service does not have; ${said}`)
    if (uploadStatus === 'available' && edition?.status !== 'available')
      throw new Error(`a receipt calls available what is ${edition?.status}; ${said}`)
  }
  const hasTrouble = receipts.some(
    ({ outcome, error }) => outcome === 'failed' || outcome === 'conflict' || (error ?? null) !== null,
  )
  if (code === exitCodes.done && hasTrouble)
    throw new Error(`it ended well, and a receipt says that something did not; ${said}`)
  if (code === exitCodes.done && isWhole) holdsAtEnd(held)
}

interface SaidReceipt {
  readonly id?: string
  readonly outcome?: string
  readonly publicationId?: string | null
  readonly editionId?: string | null
  readonly uploadStatus?: string | null
  readonly error?: object | null
}

function receiptsIn(out: string): SaidReceipt[] {
  if (!/^\s*[[{]/.test(out)) return []
  // One value, or one in each line.
  const values: unknown[] = /^\{.*\}\n/.test(out)
    ? out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    : [JSON.parse(out)]
  return values.flat() as SaidReceipt[]
}

/** Throws unless the service has each book once, with its bytes, and nothing else. */
export function holdsAtEnd({ scenario, mood, world }: Held): void {
  const { wanted, wantedAssets = [] } = scenario
  const { service } = world
  const [has, should] = [countedIn(service.held(), mood).map(shown), wanted.map(shownWanted)]
  const differs = JSON.stringify(has.sort()) !== JSON.stringify(should.sort())
  if (differs)
    throw new Error(`the service has ${has.join('; ') || 'nothing'}, and should have ${should.join('; ')}`)
  for (const { filename, file } of wantedAssets) {
    const assets = service.assets().filter(each => each.filename === filename)
    // Without an id for the request, one that was made and has no file stays: its failure names it where it can.
    if (
      !assets.some(each => each.file === file) ||
      assets.some(each => each.file !== null && each.file !== file)
    )
      throw new Error(`the service has of ${filename} ${JSON.stringify(assets)}`)
  }
}

/**
 * The publications and editions that count. Where a service ignores ids, a creation that is repeated makes another one: without a
 * file, or with the same one if the machine has forgotten that it was sent.
 */
function countedIn(held: HeldPublication[], { ids }: Mood): HeldPublication[] {
  if (ids !== 'ignored') return held
  const withFiles = held
    .map(each => ({ ...each, editions: withFilesOnce(each.editions) }))
    .filter(({ editions }) => editions.length > 0)
  return [...new Map(withFiles.map(each => [shown(each), each])).values()]
}

/** The first of the editions of each file. */
function withFilesOnce(editions: HeldPublication['editions']): HeldPublication['editions'] {
  const files = editions.map(({ file }) => file)
  return editions.filter(({ file }, index) => file !== null && files.indexOf(file) === index)
}

/** Throws if the service has a book twice, or bytes that are those of no book. */
export function holdsAtMostOnce({ scenario, mood, world }: Held): void {
  const held = countedIn(world.service.held(), mood)
  for (const { title, editions } of held) {
    const own = held.filter(each => each.title === title)
    const files = scenario.wanted.find(each => each.title === title)?.editions.map(({ file }) => file) ?? []
    const isStrange = editions.some(({ file }) => file !== null && !files.includes(file))
    if (own.length > 1 || isStrange) throw new Error(`the service has ${own.map(shown).join('; ')}`)
  }
}

/** Throws if a book is in the watched folder no more and not at the service, or lies in `done` or `failed` without a receipt. */
function holdsInFolder(folder: string, { scenario, world, isLeftToPeople }: Held): void {
  const found = filesIn(folder).map(path => ({ path, md5: md5Of(path) }))
  for (const { from, to, after } of booksIn(scenario)) {
    const own = md5Of(from)
    const copies = found.filter(({ md5 }) => md5 === own).map(({ path }) => path)
    if (copies.length === 0 && after === undefined)
      throw new Error(`${to} is nowhere: ${found.map(({ path }) => path)}`)
    const isBook = from.endsWith('.epub')
    for (const path of copies) {
      const where = basename(dirname(path))
      if (where === 'failed' && !isLeftToPeople()) throw new Error(`${to} is in "failed"`)
      if (where !== 'done' && where !== 'failed') continue
      if (!existsSync(`${path}.receipt.json`)) throw new Error(`${path} has no receipt`)
      if (where === 'failed') continue
      const isThere = world.service.held().some(({ editions }) => editions.some(({ file }) => file === own))
      if (isBook && !isThere) throw new Error(`${to} is in "done", and not at the service`)
    }
  }
}

/**
 * Throws unless each step of the queue is what it is called: what is done is at the service, what waits has a job, and what
 * failed says why.
 */
function holdsInQueue({ scenario, world }: Held): void {
  const { database, service } = world
  const jobs = database.rows('jobs')
  for (const { id, state, publicationId, errorCode } of database.rows('steps')) {
    const publication = service.held().find(each => each.id === publicationId)
    const wanted = scenario.wanted.find(({ title }) => title === publication?.title)
    const files = wanted?.editions.map(({ file }) => file) ?? []
    const isThere = publication?.editions.some(({ file }) => file !== null && files.includes(file))
    if (state === 'done' && !isThere) throw new Error(`step ${id} is done, and not at the service`)
    if (state === 'failed' && errorCode === null) throw new Error(`step ${id} does not say why it failed`)
    const isToCome = jobs.some(
      ({ key, attempts, max_attempts }) => key === id && Number(attempts) < Number(max_attempts),
    )
    if (state === 'waiting' && !isToCome) throw new Error(`step ${id} waits, and nobody will carry it out`)
  }
}

/** Whether every step of the queue is done; then nothing of it is left with a worker. */
export function isQueueDone({ world }: Pick<Held, 'world'>): boolean {
  return world.database.rows('steps').every(({ state }) => state === 'done')
}

/** Whether there are steps that somebody has to ask for again. */
export function hasFailedSteps({ world }: Pick<Held, 'world'>): boolean {
  return world.database.rows('steps').some(({ state }) => state === 'failed')
}

/** Whether everything that was put into the watched folder is done. */
export function isFolderDone({ scenario, world }: Pick<Held, 'scenario' | 'world'>): boolean {
  const found = filesIn(join(world.home(), scenario.hotFolder ?? ''))
  return booksIn(scenario).every(({ from }) => {
    const copies = found.filter(path => md5Of(path) === md5Of(from))
    return copies.length > 0 && copies.every(path => basename(dirname(path)) === 'done')
  })
}

/** The files that are to be uploaded. */
const booksIn = ({ files = [] }: Scenario) => files.filter(({ isTrigger }) => !isTrigger)

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

const md5Of = (path: string) => createHash('md5').update(readFileSync(path)).digest('hex')

const shown = ({ title, editions }: HeldPublication): string =>
  `"${title}": ${editions.map(({ status, file, cover }) => `${status} ${file}${cover === null ? '' : ` with cover ${cover}`}`).join(', ')}`

const shownWanted = ({ title, editions }: WantedPublication): string =>
  `"${title}": ${editions.map(({ file, cover }) => `available ${file}${cover === undefined ? '' : ` with cover ${cover}`}`).join(', ')}`
