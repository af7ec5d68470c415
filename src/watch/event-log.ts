import { relative } from 'node:path'
import type { Context } from '../cli/context.ts'
import { neutraliseLine } from '../cli/output/neutralise.ts'
import { hideInside } from '../cli/output/secrets.ts'
import { isBelow } from '../system/within.ts'
import { eventView, type Said, type WatchEvent } from './events.ts'

/** Says what happens: a line an event, or with `-o ndjson` a JSON object a line. */
export interface EventLog {
  add(event: Said): Promise<void>
  /** All events, for formats that are printed at the end. */
  readonly events: readonly WatchEvent[]
}

/** Whether events are printed as they happen. */
export const isStreamed = ({ format }: Context): boolean => format === 'table' || format === 'ndjson'

export function openEventLog(
  context: Context,
  folder: string,
  withoutScreen: (print: () => void) => void,
): EventLog {
  const events: WatchEvent[] = []
  const { out, format, world, options } = context
  return {
    events,
    async add(said) {
      const { event: name, file, movedTo, receipt, ...rest } = said
      // What the service says may hold secrets; paths stay as they are.
      const event: WatchEvent = {
        time: new Date(world.clock.now()).toISOString(),
        event: name,
        ...(file !== undefined && { file }),
        ...hideInside(rest, context.err.hide),
        ...(movedTo !== undefined && { movedTo }),
        ...(receipt !== undefined && { receipt }),
      }
      if (!isStreamed(context)) {
        events.push(event)
        return
      }
      if (format === 'ndjson' || options.fields || options.query !== undefined)
        return await context.list(eventView, [[event]])
      // The live lines of a terminal show what is going on.
      if (out.isTerminal && ['found', 'sending'].includes(event.event)) return
      if (options.quiet && !isTrouble(event)) return
      let writing: Promise<void> | undefined
      withoutScreen(() => {
        writing = out.styled(`${lineOf(event, folder, context)}\n`)
      })
      await writing
    },
  }
}

const isTrouble = ({ event }: WatchEvent): boolean => ['failed', 'not-moved', 'service-away'].includes(event)

const colours = { done: 'green', failed: 'red', 'not-moved': 'red', 'service-away': 'yellow' } as const

/** An event as one line: the time, what happened, to which file, and why. */
function lineOf(event: WatchEvent, folder: string, { out }: Context): string {
  const { time, event: name, file, counts } = event
  const at = out.isTerminal ? new Date(time).toTimeString().slice(0, 8) : time
  const colour = name in colours ? colours[name as keyof typeof colours] : 'dim'
  const parts = [
    out.paint('dim', at),
    out.paint(colour, name.padEnd(12)),
    ...(file === undefined ? [] : [neutraliseLine(nameIn(file, folder))]),
  ]
  const facts = [
    event.publicationId ?? '',
    event.outcome !== undefined && event.outcome !== 'uploaded' ? event.outcome : '',
    event.error?.message ?? event.why ?? '',
    counts === undefined ? '' : `${counts.done} done, ${counts.failed} failed, ${counts.waiting} waiting`,
  ].filter(text => text !== '')
  const tail = facts.length === 0 ? '' : `${file === undefined ? '' : ': '}${facts.join('; ')}`
  const way = event.movedTo === undefined ? '' : ` → ${nameIn(event.movedTo, folder)}`
  return `${parts.join('  ')}${file === undefined ? '  ' : ''}${neutraliseLine(tail + way)}`
}

/** A path as it is below the watched folder, or complete where it is elsewhere. */
const nameIn = (path: string, folder: string): string =>
  isBelow(folder, path) ? relative(folder, path) : path
