import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { writeHugeBook } from '../support/books/huge-book.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { mostMemory } from '../support/machine/most-memory.ts'
import { peakOf } from '../support/machine/peak.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

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
