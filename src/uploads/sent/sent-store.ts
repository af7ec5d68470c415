import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import { type Database, keptText, openDatabase } from '../../system/database.ts'
import { isUnwritable, remedyOf } from '../../system/database-error.ts'
import { Failure, UsageFailure } from '../../system/errors.ts'
import { parseExactly, serialise } from '../../system/exact-json.ts'
import { guarded } from '../../system/guarded.ts'
import type { Caller } from '../journal/caller.ts'
import { nameOfCaller } from '../journal/caller-name.ts'
import { type Sent, type SentStore, withoutRecord } from './sent.ts'

/**
 * Opens what was sent from this machine for a caller, and asks for the scope, when it is first needed. If that cannot be used,
 * nothing is known and nothing is kept: an upload or a plan does not fail for it, and a warning says so once.
 */
export function openSentStore({ directories, err, warn, world }: Context, caller: Caller): SentStore {
  let store: SentStore | undefined
  const use = <T>(work: (store: SentStore) => T, otherwise: T): T => {
    try {
      store ??= openStore(join(directories.dataDir, 'sent', `${nameOfCaller(caller)}.db`), {
        hide: err.hide,
        now: world.clock.now,
      })
      return work(store)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'sent_unusable') throw error
      store?.close()
      store = withoutRecord
      const { code, message, hint } = error
      const more = 'so what somebody changed at the service cannot be told from what was sent'
      void warn({ code, message: `${message}, ${more}`, ...(hint && { hint }) })
      return otherwise
    }
  }
  return {
    get: publicationId => use(each => each.get(publicationId), withoutRecord.get(publicationId)),
    readAhead: ids => use(each => each.readAhead(ids), undefined),
    put: all => use(each => each.put(all), undefined),
    close: () => store?.close(),
  }
}

const schema = 'CREATE TABLE sent (publicationId TEXT PRIMARY KEY, fields TEXT NOT NULL);'

interface StoreOptions {
  readonly hide: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

function openStore(path: string, { hide, now }: StoreOptions): SentStore {
  const unusable = (trouble: string, cause?: unknown): Failure =>
    new UsageFailure(`the record of what was sent ${path} ${trouble}`, {
      code: 'sent_unusable',
      hint: isUnwritable(cause) ? remedyOf(cause) : 'If no other program uses it, move the file away.',
      cause,
    })
  const db: Database = guarded(openDatabase(path, { schema: [schema], unusable }), unusable)
  /** The fields of publications that were read ahead; undefined for those to which nothing was sent. */
  const ahead = new Map<string, string | undefined>()
  const get = (publicationId: string): Map<string, Sent> => {
    if (ahead.has(publicationId)) {
      const fields = ahead.get(publicationId)
      ahead.delete(publicationId)
      return new Map(fields === undefined ? [] : fieldsIn(fields))
    }
    const row = db.get<{ fields: string }>('SELECT fields FROM sent WHERE publicationId = ?', publicationId)
    return new Map(row && fieldsIn(row.fields))
  }
  return {
    get,
    readAhead(ids) {
      ahead.clear()
      // Others are kept with another text than that of their id, which `get` knows.
      for (const id of ids) if (keptText(id) === id) ahead.set(id, undefined)
      for (const { publicationId, fields } of db.all<{ publicationId: string; fields: string }>(
        'SELECT publicationId, fields FROM sent WHERE publicationId IN (SELECT value FROM json_each(?))',
        JSON.stringify([...ahead.keys()]),
      ))
        ahead.set(publicationId, fields)
    },
    put: all =>
      db.write(() => {
        for (const { publicationId, values, at } of all) {
          // Read again in the transaction, since another process may have changed it since.
          ahead.delete(publicationId)
          const kept = get(publicationId)
          for (const [field, value] of values) {
            const before = kept.get(field)?.at ?? at
            // What is kept of a time to come was sent before the clock was set back.
            if (at >= before || before > now()) kept.set(field, { value: hideInside(value, hide), at })
          }
          db.run(
            'INSERT OR REPLACE INTO sent (publicationId, fields) VALUES (?, ?)',
            ...[publicationId, serialise([...kept].map(([field, { value, at }]) => [field, at, value]))],
          )
        }
      }),
    close: db.close,
  }
}

/** The values in a row, which are lists of name, time and value. A row that makes no sense counts as not known. */
function fieldsIn(text: string): [string, Sent][] {
  try {
    return (parseExactly(text) as [string, number, unknown][]).map(([field, at, value]) => [
      field,
      { value, at },
    ])
  } catch {
    return []
  }
}
