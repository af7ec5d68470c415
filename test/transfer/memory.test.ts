import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { environment } from '../support/bin.ts'
import { bin } from '../support/bin-path.ts'
import { writeHugeBook } from '../support/huge-book.ts'
import { mostMemory } from '../support/most-memory.ts'
import { peakOf } from '../support/peak.ts'
import { temporaryFolder } from '../support/pubctl.ts'
import { startServer } from '../support/sandbox-server.ts'
import { isSlow } from '../support/slow.ts'

const mebibyte = 1024 * 1024
/** MiB of the book: far more than the memory that is allowed. */
const size = 2048

describe.runIf(isSlow && existsSync('/proc/self/status'))('memory', () => {
  it(`stays flat in client and sandbox while ${size} MiB travel`, { timeout: 300_000 }, async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'huge.epub')
    await writeHugeBook(path, size * mebibyte)
    const server = await startServer(join(folder, 'data'), ['--processing-delay', '5ms'])
    const client = execa(process.execPath, [bin, 'publications', 'upload', path, '--json'], {
      env: environment({ HOME: folder, PUBCTL_API_KEY: server.key, PUBCTL_BASE_URL: server.baseUrl }),
      extendEnv: false,
    })
    let clientPeak = 0
    const watch = setInterval(() => {
      clientPeak = Math.max(clientPeak, peakOf(client.pid))
    }, 20)
    const { stdout } = await client.finally(() => clearInterval(watch))
    expect(JSON.parse(stdout)).toMatchObject({ uploadStatus: 'available', bytes: expect.any(Number) })
    expect(JSON.parse(stdout).bytes).toBeGreaterThan(size * mebibyte)
    expect(clientPeak).toBeGreaterThan(10)
    expect(clientPeak).toBeLessThan(mostMemory)
    expect(peakOf(server.child.pid)).toBeLessThan(mostMemory)
  })
})
