import { vi } from 'vitest'
import { systemClock } from '../../../src/system/world.ts'
import { faultyServer } from '../proxies/faulty-server.ts'
import { sandbox } from './sandbox.ts'

const hour = 3_600_000
const limit = { timeout: 30_000 }

/** A sandbox that proves content, and in which what was sent stays in each state of its processing until a test goes on. */
export async function heldSandbox() {
  let passed = 0
  const clock = { ...systemClock, now: () => systemClock.now() + passed }
  const service = await sandbox({ clock, processingDelayMs: hour, lookAgainMs: 10 })
  await service.ok('POST', '/v1/resources/metadata-keys', { key: 'sha256' })
  const front = await faultyServer([], { before: service.baseUrl })
  return {
    ...service,
    baseUrl: front.url,
    /** Waits until a client asks for the state of an edition. */
    isAskedForState: () => vi.waitUntil(() => front.log.some(line => line.includes('/editions/')), limit),
    /** Goes on to the next state of what was sent, and waits until all publications have it. */
    async goOnTo(status: string) {
      passed += hour
      const isThere = async () => {
        const { items } = await service.ok('GET', '/v1/publications')
        return items.every(({ uploadStatus }: { uploadStatus: string }) => uploadStatus === status)
      }
      await vi.waitUntil(isThere, limit)
    },
  }
}
