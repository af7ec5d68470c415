import { setImmediate } from 'node:timers/promises'
import type { PlanAction } from '../../plan/actions.ts'
import { sameBook } from '../../plan/decide-product.ts'
import { isNotReadYet } from '../../plan/known.ts'
import type { PlanStep } from '../../plan/plan-step.ts'
import { amended, type BrokenProduct, type Product } from '../../plan/product.ts'
import { withKey } from '../../plan/product-key.ts'
import { brokenStep, orphanStep } from '../../plan/product-step.ts'
import { placeOf } from '../../plan/wanted.ts'
import { rest } from '../../system/rest.ts'
import { isMap, joinMaps } from './join-maps.ts'
import { keyQuery } from './known-product.ts'
import { planProduct } from './plan-product.ts'
import type { Planning } from './planning.ts'
import { namedIn, openRows, type ProductRow, type Rows } from './rows.ts'

/** The products of the sources, kept on the disk. */
export interface Catalogue {
  readonly rows: Rows
  /** How many values there are that may not be sent: `prices`, `rights`, and optional metadata keys by their names. */
  readonly values: ReadonlyMap<string, number>
  /** Values that cannot be used and are left out, with their places; the first ones of so many. */
  readonly leftOut: { readonly first: readonly string[]; readonly count: number }
  /** How many records of ONIX were replaced or amended by later ones. */
  readonly replaced: number
}

/**
 * After so many rows, the event loop gets a turn: for signals and progress, and because the database driver frees memory
 * only then.
 */
const restEvery = 100

interface ReadOptions {
  /** `isbn`, or the metadata key that products are matched by. */
  readonly keyField: string
  /** Whether later records of ONIX replace or amend earlier ones of the same reference. */
  readonly isFeed: boolean
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
}

/** Reads all products of the sources. The rows must be closed. */
export async function readCatalogue(
  products: AsyncIterable<Product | BrokenProduct>,
  { keyField, isFeed, signal, onProgress }: ReadOptions,
): Promise<Catalogue> {
  const rows = openRows()
  const values = new Map<string, number>()
  const leftOut = { first: [] as string[], count: 0 }
  const count = (name: string, more: number) => void values.set(name, (values.get(name) ?? 0) + more)
  const tally = ({ ignored, optional, dropped }: Product, times: 1 | -1) => {
    if (ignored !== null) return
    for (const name of Object.keys(optional)) count(name, times)
    count('prices', times * dropped.prices)
    count('rights', times * dropped.rights)
  }
  try {
    for await (const product of products) {
      if (rows.size % restEvery === 0) await rest(signal)
      const keyed = 'broken' in product ? product : withKey(product, keyField)
      if ('broken' in keyed) rows.addBroken(brokenStep(keyed, keyField), keyed)
      else rows.add(keyed.key, keyed.product, isMap(keyed.key, keyed.product, keyField))
      onProgress(rows.size)
      if ('broken' in product) continue
      tally(product, 1)
      for (const why of product.leftOut ?? []) {
        leftOut.count++
        if (leftOut.first.length < mostNamed) leftOut.first.push(`${placeOf(product.from)}: ${why}`)
      }
    }
    const replaced = isFeed ? await joinRecords(rows, tally, signal) : 0
    let mapped = 0
    await joinMaps(rows, async () => {
      if (++mapped % restEvery !== 0) return
      await rest(signal)
    })
    return { rows, values, leftOut, replaced }
  } catch (error) {
    rows.close()
    throw error
  }
}

/** Lets later records of a reference replace or amend the earlier ones; returns how many there are no more. */
async function joinRecords(
  rows: Rows,
  tally: (product: Product, times: 1 | -1) => void,
  signal: AbortSignal,
): Promise<number> {
  let replaced = 0
  let done = 0
  for (const records of rows.repeatedRecords()) {
    if (++done % restEvery === 0) await rest(signal)
    let now: ProductRow | undefined
    // What a broken record says is not known, until a whole one says it again.
    let broken: number[] = []
    for (const { number, key, product } of records) {
      if (product === null) {
        broken.push(number)
        continue
      }
      // References are unique only among the records of one sender.
      const isSame = key === null || !now?.key || key === now.key
      const before = isSame ? now : undefined
      const row = {
        ...{ number, key: key ?? before?.key ?? null },
        product: before ? amended(before.product, product) : product,
      }
      const others = [...(before ? [before.number] : []), ...(isSame && !product.isPartial ? broken : [])]
      if (others.length > 0) rows.replace(row, others)
      if (before) {
        for (const each of [before.product, product]) tally(each, -1)
        tally(row.product, 1)
      }
      replaced += others.length
      if (!product.isPartial) broken = []
      now = row
    }
  }
  return replaced
}

/** How many other rows of the same book are read at most. */
const mostNamed = 10

/** How many rows are under way at a time; how many files are read at a time is limited separately. */
const rowsAtATime = 16

/** Decides on every row. Afterwards the steps are in the rows, with those of publications that are in no row. */
export async function planCatalogue(
  rows: Rows,
  planning: Planning,
  onProgress: (done: number) => void,
): Promise<void> {
  let last: readonly number[]
  do {
    const before = planning.index.notReadYet()
    last = await planUndecided(rows, planning, onProgress)
    // What was read for a later row may be an earlier one's book.
    if (planning.index.notReadYet() === before) break
    rows.reopen(last)
  } while (last.length > 0)
  settleCollisions(rows, planning.options.keyField)
  await addOrphans(rows, planning)
}

/** Decides on the rows that have no step yet. Gives the numbers of those whose book may be one that is not read yet. */
async function planUndecided(
  rows: Rows,
  planning: Planning,
  onProgress: (done: number) => void,
): Promise<readonly number[]> {
  const underWay = new Set<Promise<void>>()
  const provisional: number[] = []
  let done = 0
  let failure: { error: unknown } | undefined
  const { index, sent } = planning
  const undecided = function* () {
    for (const page of rows.undecided()) {
      const named = namedIn(page)
      index.readAhead(named)
      if (named.length > 0) sent.readAhead(named)
      yield* page
    }
  }
  for (const row of undecided()) {
    const work = planProduct(row, rows, planning)
      .then(({ step, standsFor, isAllRead }) => {
        if (!isAllRead) provisional.push(row.number)
        rows.settle(row.number, step, standsFor)
        onProgress(++done)
      })
      .catch(error => {
        failure ??= { error }
      })
      .finally(() => underWay.delete(work))
    underWay.add(work)
    if (underWay.size >= rowsAtATime) await Promise.race(underWay)
    if (row.number % restEvery === 0) await setImmediate()
    if (failure || planning.signal.aborted) break
  }
  await Promise.all(underWay)
  if (failure) throw failure.error
  planning.signal.throwIfAborted()
  return provisional
}

/** Adds the publications that no row is about. Those of rows that cannot be used are in a source all the same. */
async function addOrphans(rows: Rows, { index, options, signal }: Planning): Promise<void> {
  for (const keys of rows.brokenKeys()) {
    const found = keys.flatMap(key => index.find(keyQuery(options.keyField, key)))
    rows.mention(found.map(({ publicationId }) => publicationId))
    await rest(signal)
  }
  for (const ids of index.ids()) {
    for (const id of rows.unmentioned(ids)) {
      const publication = index.get(id)
      // What is not read yet may be in a source by its key.
      if (publication && !isNotReadYet(publication)) rows.addOrphan(orphanStep(publication, options.keyField))
    }
    await rest(signal)
  }
}

/** Rows that turned out to be about the same publication, or to create the same one, are conflicts. */
function settleCollisions(rows: Rows, keyField: string): void {
  for (const numbers of rows.collisions()) {
    // A message names a few of the others.
    const named = numbers.slice(0, mostNamed + 1).flatMap(number => {
      const row = rows.get(number)
      return row ? [{ number, place: placeOf(row.product.from) }] : []
    })
    for (const number of numbers) {
      const row = rows.get(number)
      if (row === undefined) continue
      const { product, step } = row
      const others = named.filter(each => each.number !== number).map(({ place }) => place)
      const conflict = sameBook({ key: step.key, from: product.from }, others, keyField)
      rows.settle(number, conflictStep(step, conflict), [])
    }
  }
}

const conflictStep = (step: PlanStep, { why, hint }: { why: string; hint: string }): PlanStep => ({
  ...step,
  ...{ action: 'conflict' satisfies PlanAction, why, hint, proof: null, fields: null, differences: null },
  ...{ before: null, send: null, cover: null, uploadRequestId: null },
})
