import { join } from 'node:path'
import type { Context } from '../cli/context.ts'
import { hideInside } from '../cli/output/secrets.ts'
import { Failure } from '../system/errors.ts'
import { stat } from '../system/files.ts'
import { version } from '../system/version.ts'
import { withoutSecrets } from '../uploads/batch/show-receipts.ts'
import { sha256Of } from '../uploads/reading/hash.ts'
import type { Receipt } from '../uploads/receipt.ts'
import type { EventLog } from './event-log.ts'
import { destination, type Folders } from './folders.ts'
import { type Item, newItem, seenOf } from './item.ts'
import { moveBeside, type Settled, settleFile } from './settle-file.ts'

/** Moves the files that are settled, and counts them. */
export interface Settling {
  /** Moves a file beside its receipt. If that cannot be done now, it is tried again with `retry`. */
  settle(item: Item, to: 'done' | 'failed', receipt: Receipt, more?: More): Promise<void>
  retry(items: readonly Item[]): Promise<void>
  counts(): { readonly done: number; readonly failed: number }
}

interface More {
  /** The file as it was when it was begun. */
  readonly seen?: Settled['seen']
  /** Further facts for the receipt. */
  readonly facts?: object
}

interface SettlingOptions {
  readonly context: Context
  readonly folders: Folders
  readonly eventLog: EventLog
  /** The files that the watcher knows, by their paths. */
  readonly items: Map<string, Item>
}

export function openSettling({ context, folders, eventLog, items }: SettlingOptions): Settling {
  const { clock } = context.world
  const counts = { done: 0, failed: 0 }
  const hash = async (path: string) => await sha256Of(path, (await stat(path)).size, context.world)

  /** A trigger goes with the last of the files that it is for. */
  async function moveTrigger({ seen, to }: Settled): Promise<void> {
    const { trigger, below, path, name } = seen
    const isNeeded = [...items.values()].some(item => {
      const other = seenOf(item)
      return other.below === below && other.trigger === trigger
    })
    if (trigger !== undefined && !isNeeded)
      await moveBeside(join(path.slice(0, -name.length), trigger), destination(folders, to, below))
  }

  async function move(item: Item, settled: Settled, facts: Receipt): Promise<void> {
    const { publicationId, editionId, outcome, bytes, sha256, why, error } = facts
    const about = { file: item.path, publicationId, editionId, outcome, bytes, sha256 }
    const reasons = { ...(why !== null && { why }), ...(error !== null && { error }) }
    try {
      const place = await settleFile(settled, folders, hash)
      if (place === 'changed') {
        items.set(item.path, newItem(item.watched))
        await eventLog.add({ event: settled.to, ...about, ...reasons })
        return await eventLog.add({
          event: 'found',
          file: item.path,
          why: 'it has changed since, so it is looked at again',
        })
      }
      items.delete(item.path)
      await moveTrigger(settled)
      const { to: movedTo, receipt } = place
      await eventLog.add({ event: settled.to, ...about, ...reasons, movedTo, receipt })
    } catch (error) {
      item.settled = settled
      item.receipt = facts
      const why = `it is ${settled.to}, and cannot be moved to ${folders[settled.to]}: ${messageOf(error)}`
      if (item.said.has(why)) return
      item.said.add(why)
      await eventLog.add({ event: 'not-moved', ...about, why })
    }
  }

  return {
    counts: () => ({ ...counts }),
    async settle(item, to, receipt, { seen = seenOf(item), facts = {} } = {}) {
      counts[to]++
      const clean = withoutSecrets(context, receipt)
      const written = {
        ...clean,
        ...hideInside(facts, context.err.hide),
        settled: new Date(clock.now()).toISOString(),
        pubctl: version,
      }
      await move(item, { seen, to, sha256: clean.sha256, receipt: written }, clean)
    },
    async retry(all) {
      for (const item of all) {
        const { settled, receipt } = item
        if (settled && receipt && !item.isUnderWay) await move(item, settled, receipt)
      }
    },
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) throw error
  return code === 'ENOSPC' ? 'the disk is full' : `${code} (${message})`
}
