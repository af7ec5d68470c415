import { expect } from 'vitest'

// A text is kept in a test as it is, without quotes around it and backslashes in it. It holds for all files that a worker runs
// from then on, so whatever keeps texts imports this.
expect.addSnapshotSerializer({ test: value => typeof value === 'string', serialize: value => value })
