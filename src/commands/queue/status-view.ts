import type { View } from '../../cli/output/view.ts'

/** A queue. What failed is a table of its own at a terminal, and part of the item in JSON. */
export const statusView: View = {
  columns: [
    { field: 'steps', kind: 'count' },
    { field: 'waiting', kind: 'count' },
    { field: 'underWay', kind: 'count' },
    { field: 'retrying', kind: 'count' },
    { field: 'failed', kind: 'count' },
    { field: 'uploaded', kind: 'count' },
    { field: 'updated', kind: 'count' },
    { field: 'skipped', kind: 'count' },
    { field: 'perSecond' },
    { field: 'secondsLeft' },
    { field: 'limitPerSecond', label: 'limit per second' },
    { field: 'workers.host', label: 'workers' },
    { field: 'plans.planId', label: 'plans', isDetail: true },
    { field: 'plans.root', label: 'folders', isDetail: true },
  ],
  fields: () =>
    new Set(
      `steps waiting underWay retrying failed uploaded updated skipped perSecond secondsLeft limitPerSecond workers
       workers.host workers.pid workers.concurrency workers.startedAtIso plans plans.planId plans.baseUrl plans.scopeId
       plans.root plans.loadedAtIso failures failures.id failures.key failures.file failures.state failures.outcome
       failures.code failures.why failures.hint failures.tries failures.nextTryAtIso`.split(/\s+/),
    ),
}

/** The steps that failed. */
export const failuresView: View = {
  columns: [
    { field: 'id', isWhole: true, isMinor: true },
    { field: 'file', isPath: true },
    { field: 'state' },
    { field: 'tries', kind: 'count', isMinor: true },
    { field: 'why', isMain: true },
    { field: 'hint', isMinor: true },
  ],
  fields: () =>
    new Set(['id', 'key', 'file', 'state', 'outcome', 'code', 'why', 'hint', 'tries', 'nextTryAtIso']),
  empty: 'Nothing has failed.',
}
