import { actionCounts, actionsWith, type Counts, type PlanAction } from '../../plan/actions.ts'
import type { PlanStep } from '../../plan/plan-step.ts'
import type { BrokenProduct, Product, RecordInTime } from '../../plan/product.ts'
import type { CheckedBy } from '../../system/checked-by.ts'
import { keptText, openTemporaryDatabase } from '../../system/database.ts'
import { UsageFailure } from '../../system/errors.ts'
import { parseExactly, serialise } from '../../system/exact-json.ts'
import { guarded } from '../../system/guarded.ts'
import { withAddedRows } from './added-rows.ts'

/** A product, by its number in the order of the sources. */
export interface ProductRow {
  readonly number: number
  readonly key: string | null
  readonly product: Product
}

/** A row whose step is to be decided. */
export interface UndecidedRow extends ProductRow {
  /** Whether there are others of the same key, or of the same publication if both name one. */
  readonly isShared: boolean
}

/** A row whose key is known. */
interface KeyedRow extends ProductRow {
  readonly key: string
}

/** A row of an ONIX record; without a product if that is broken. */
interface RecordRow extends Omit<ProductRow, 'product'> {
  readonly product: Product | null
}

/** The rows of a plan with their steps, on the disk, because there can be many. */
export interface Rows {
  /** Adds a product. `isMap`: it only maps its key to a publication. */
  add(key: string | null, product: Product, isMap?: boolean): void
  /** Adds the step of a product that cannot be used. */
  addBroken(step: PlanStep, product: BrokenProduct): void
  /** Adds the step of a publication that is in no row. */
  addOrphan(step: PlanStep): void
  /** The rows of each ONIX record that there are several of, in the order in which they were sent. */
  repeatedRecords(): Iterable<readonly RecordRow[]>
  /** Puts a row in the place of what its product was before, and removes others. */
  replace(row: ProductRow, others: readonly number[]): void
  /** The rows that only map a key to a publication, in their order. */
  maps(): Iterable<KeyedRow>
  /** The rows of products with a key, in their order. */
  ofKey(key: string): KeyedRow[]
  /** The rows that name a publication, in their order. */
  ofPublication(publicationId: string): ProductRow[]
  readonly size: number
  /** The rows whose steps are to be decided, in their order, in pages. */
  undecided(): Iterable<readonly UndecidedRow[]>
  /** The other rows of the same key, or of the same publication if both name one. */
  sameKey(row: ProductRow): Product[]
  /** Whether another row has the same key, be it about another publication. */
  isRepeated(row: ProductRow): boolean
  /** Keeps the step of a row, and the publications that the row stands for. */
  settle(number: number, step: PlanStep, standsFor: readonly string[]): void
  /** Takes the steps of rows away, so that they are decided on once more. */
  reopen(numbers: readonly number[]): void
  /** Rows that would change the same publication, or create the same one: numbers of each group. */
  collisions(): Iterable<readonly number[]>
  get(number: number): { readonly product: Product; readonly step: PlanStep } | undefined
  /** The keys of products that cannot be used, in pages. */
  brokenKeys(): Iterable<readonly string[]>
  /** Notes publications that rows stand for. */
  mention(publicationIds: readonly string[]): void
  /** Those of these publications that no row stands for. */
  unmentioned(publicationIds: readonly string[]): string[]
  /** How many steps could not prove whether the content is the same. */
  unproven(): number
  /** How many steps replace values of which it is not known whether they are what was sent last. */
  replacingUnknown(): number
  /** Who else has checked books, each once. */
  checkedBy(): readonly CheckedBy[]
  counts(): Counts
  /** Drops the steps that are not meant, and counts them. */
  keep(isMeant: (step: PlanStep) => boolean): Counts
  /** The steps that were decided in the order of the sources, without those of the actions that are left out. */
  steps(without?: readonly PlanAction[]): Iterable<PlanStep>
  close(): void
}

interface StoredRow extends Omit<ProductRow, 'product'> {
  readonly product: string
}

interface StoredStep {
  readonly number: number
  readonly step: string
}

const schema = `CREATE TEMP TABLE rows (
  number INTEGER PRIMARY KEY,
  identity TEXT,
  key TEXT,
  record TEXT,
  sentAt REAL,
  product TEXT,
  isMap INTEGER,
  step TEXT,
  action TEXT,
  publicationId TEXT,
  made TEXT
);
CREATE INDEX byIdentity ON rows (identity);
CREATE INDEX byKey ON rows (key);
CREATE INDEX byMap ON rows (number) WHERE isMap = 1;
CREATE INDEX byRecord ON rows (record) WHERE record IS NOT NULL;
CREATE TEMP TABLE brokenKeys (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TEMP TABLE mentioned (publicationId TEXT PRIMARY KEY) WITHOUT ROWID;`

/** Actions as a list in SQL. */
const listOf = (names: readonly PlanAction[]): string => `(${names.map(name => `'${name}'`).join(', ')})`

/** The actions that need a publication for themselves. */
const exclusive = listOf(actionsWith(({ isExclusive }) => isExclusive))

/** The actions that change something at the service. */
const writing = listOf(actionsWith(({ writes }) => writes))

const unusable = (trouble: string, cause: unknown): UsageFailure =>
  new UsageFailure(`the temporary file of the plan ${trouble}`, {
    code: 'no_temporary_file',
    hint: 'Free some space in the folder for temporary files, or name another one with SQLITE_TMPDIR.',
    cause,
  })

const pageSize = 200

export function openRows(): Rows {
  const db = withAddedRows(guarded(openTemporaryDatabase(schema), unusable))
  let size = 0
  let mentioned: string[] = []

  function* pages<T extends { number: number }>(sql: string): Generator<T[]> {
    for (let after = 0; ; ) {
      const page = db.all<T>(`${sql} AND number > ? ORDER BY number LIMIT ${pageSize}`, after)
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last.number
    }
  }

  function* pagesOfTexts(sql: string): Generator<string[]> {
    for (let after = ''; ; ) {
      const page = db.all<{ text: string }>(`${sql} ORDER BY text LIMIT ${pageSize}`, after)
      const last = page.at(-1)
      if (last === undefined) return
      yield page.map(({ text }) => text)
      after = last.text
    }
  }

  const count = (where: string): number =>
    db.get<{ count: number }>(`SELECT count(*) AS count FROM rows WHERE ${where}`)?.count ?? 0

  const mention = (ids: readonly string[]): void => {
    mentioned.push(...ids.map(keptText))
    if (mentioned.length >= pageSize) keepMentioned()
  }

  const keepMentioned = (): void => {
    db.run('INSERT OR IGNORE INTO mentioned SELECT value FROM json_each(?)', JSON.stringify(mentioned))
    mentioned = []
  }

  return {
    get size() {
      return size
    },
    add(key, product, isMap = false) {
      size++
      const row = [identityOf(key, product), key, ...inTime(product.record), JSON.stringify(product)] as const
      db.addRow([...row, isMap ? 1 : null])
    },
    addBroken(step, { record, isbn, key, proprietaryId, publicationId }) {
      size++
      db.run(
        'INSERT INTO rows (key, step, action, record, sentAt) VALUES (?, ?, ?, ?, ?)',
        ...[step.key, serialise(step), step.action, ...inTime(record)],
      )
      for (const each of [isbn, key, proprietaryId])
        if (each !== undefined) db.run('INSERT OR IGNORE INTO brokenKeys VALUES (?)', each)
      if (publicationId !== undefined) mention([publicationId])
    },
    addOrphan: step =>
      void db.run('INSERT INTO rows (step, action) VALUES (?, ?)', serialise(step), step.action),
    *repeatedRecords() {
      const repeated = 'SELECT record AS text FROM rows WHERE record > ? GROUP BY record HAVING count(*) > 1'
      const ofRecord = 'SELECT number, key, product FROM rows WHERE record = ? ORDER BY sentAt, number'
      for (const page of pagesOfTexts(repeated))
        for (const record of page)
          yield db
            .all<Omit<StoredRow, 'product'> & { product: string | null }>(ofRecord, record)
            .map(({ product, ...row }) => ({
              ...row,
              product: product === null ? null : JSON.parse(product),
            }))
    },
    replace({ number, key, product }, others) {
      for (const other of others) size -= db.run('DELETE FROM rows WHERE number = ?', other)
      db.run(
        'UPDATE rows SET identity = ?, key = ?, product = ? WHERE number = ?',
        ...[identityOf(key, product), key, JSON.stringify(product), number],
      )
    },
    *maps() {
      for (const page of pages<StoredRow>('SELECT number, key, product FROM rows WHERE isMap = 1'))
        yield* page.map(row => rowOf(row) as KeyedRow)
    },
    ofKey: key =>
      db
        .all<StoredRow>(
          'SELECT number, key, product FROM rows WHERE key = ? AND product IS NOT NULL ORDER BY number',
          key,
        )
        .map(row => rowOf(row) as KeyedRow),
    ofPublication: publicationId =>
      db
        .all<StoredRow>(
          'SELECT number, key, product FROM rows WHERE identity = ? ORDER BY number',
          identityOfPublication(publicationId),
        )
        .map(rowOf),
    *undecided() {
      const sql = `SELECT number, key, product, EXISTS (
          SELECT 1 FROM rows AS other WHERE other.identity = rows.identity AND other.number <> rows.number
        ) AS isShared FROM rows WHERE step IS NULL`
      for (const page of pages<StoredRow & { isShared: number }>(sql))
        yield page.map(({ isShared, ...row }) => ({ ...rowOf(row), isShared: isShared === 1 }))
    },
    sameKey: ({ number, key, product }) =>
      db
        .all<{ product: string }>(
          'SELECT product FROM rows WHERE identity = ? AND number <> ? ORDER BY number LIMIT 20',
          ...[identityOf(key, product), number],
        )
        .map(row => JSON.parse(row.product)),
    isRepeated: ({ number, key }) =>
      db.get('SELECT 1 FROM rows WHERE key = ? AND number <> ? LIMIT 1', key, number) !== undefined,
    settle(number, step, standsFor) {
      const { action, publicationId } = step
      db.run(
        'UPDATE rows SET step = ?, action = ?, publicationId = ?, made = ? WHERE number = ?',
        ...[serialise(step), action, publicationId, action === 'create' ? step.key : null, number],
      )
      mention(standsFor)
    },
    reopen: numbers =>
      void db.run(
        'UPDATE rows SET step = NULL, action = NULL WHERE number IN (SELECT value FROM json_each(?))',
        JSON.stringify(numbers),
      ),
    *collisions() {
      const groups = [
        `SELECT json_group_array(number) AS numbers FROM rows WHERE action IN ${exclusive}
         AND publicationId IS NOT NULL GROUP BY publicationId HAVING count(*) > 1`,
        `SELECT json_group_array(number) AS numbers FROM rows WHERE made IS NOT NULL
         GROUP BY made HAVING count(*) > 1`,
      ]
      for (const sql of groups)
        for (const { numbers } of db.all<{ numbers: string }>(sql)) yield JSON.parse(numbers)
    },
    get(number) {
      const row = db.get<{ product: string; step: string }>(
        'SELECT product, step FROM rows WHERE number = ?',
        number,
      )
      return row && { product: JSON.parse(row.product), step: readStep(row.step) }
    },
    brokenKeys: () => pagesOfTexts('SELECT key AS text FROM brokenKeys WHERE key > ?'),
    mention,
    unmentioned(ids) {
      keepMentioned()
      return db
        .all<{ id: string }>(
          'SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT publicationId FROM mentioned)',
          JSON.stringify(ids),
        )
        .map(({ id }) => id)
    },
    replacingUnknown: () =>
      count(`action IN ${writing} AND EXISTS (SELECT * FROM json_each(step, '$.differences') AS each
        WHERE each.type = 'object' AND json_type(each.value, '$.sent') IS NULL)`),
    unproven: () => count("step ->> 'proof' = 'unproven'"),
    checkedBy: () =>
      db
        .all<{ value: string }>(
          "SELECT DISTINCT each.value FROM rows, json_each(step, '$.checkedBy') AS each ORDER BY each.value",
        )
        .map(({ value }) => JSON.parse(value)),
    counts: () =>
      Object.fromEntries(
        db
          .all<{ action: PlanAction; count: number }>(
            'SELECT action, count(*) AS count FROM rows GROUP BY action',
          )
          .map(({ action, count }) => [action, count]),
      ),
    keep(isMeant) {
      const left: Pick<PlanStep, 'action'>[] = []
      for (const page of pages<StoredStep>('SELECT number, step FROM rows WHERE step IS NOT NULL'))
        for (const { number, step } of page) {
          const read = readStep(step)
          if (isMeant(read)) continue
          db.run('DELETE FROM rows WHERE number = ?', number)
          left.push({ action: read.action })
        }
      return actionCounts(left)
    },
    *steps(without = []) {
      const sql = `SELECT number, step FROM rows WHERE step IS NOT NULL AND action NOT IN ${listOf(without)}`
      for (const page of pages<StoredStep>(sql)) for (const { step } of page) yield readStep(step)
    },
    close: db.close,
  }
}

/** The publications that rows name. */
export const namedIn = (rows: readonly ProductRow[]): string[] =>
  rows.flatMap(({ product }) => product.publicationId ?? [])

const rowOf = ({ product, ...row }: StoredRow): ProductRow => ({ ...row, product: JSON.parse(product) })

/** Metadata that a step carries over can have integers that a JavaScript number would round. */
const readStep = (text: string) => parseExactly(text) as PlanStep

const inTime = (record: RecordInTime | undefined) =>
  [record?.reference ?? null, record?.sentAt ?? null] as const

/** What a row shares with other rows of the same book; null for a row that cannot be told apart yet. */
function identityOf(key: string | null, { publicationId, ignored }: Product): string | null {
  if (ignored !== null) return null
  if (publicationId !== null) return identityOfPublication(publicationId)
  return key === null ? null : `key ${key}`
}

const identityOfPublication = (publicationId: string): string => `publication ${publicationId}`
