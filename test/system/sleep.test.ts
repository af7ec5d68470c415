import { expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'

it('never sleeps for less than it was told to, in which a file that has just become quiet would seem to change', async () => {
  const { monotonic, sleep } = systemClock
  for (let round = 0; round < 200; round++) {
    // Begins at another fraction of a millisecond each time.
    const begun = monotonic()
    while (monotonic() - begun < (round % 10) / 10);
    const before = monotonic()
    await sleep(2)
    expect(monotonic() - before).toBeGreaterThanOrEqual(2)
  }
})
