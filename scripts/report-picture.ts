import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/system/world.ts'
import { openBrowser, visit } from '../test/support/machine/browser.ts'
import {
  honestTitles,
  manyReaders,
  readingFigures,
  titlesNamed,
} from '../test/support/servers/reading-figures.ts'
import { remembering } from '../test/support/servers/server.ts'
import { runHere } from './program.ts'

/** The page about analytics as an installed Chromium shows it. */
export async function reportPicture(): Promise<Map<string, Buffer>> {
  const home = mkdtempSync(join(tmpdir(), 'pubctl-picture-'))
  const figures = readingFigures({ titles: titlesNamed(honestTitles), readers: manyReaders })
  const server = createServer(remembering(figures, []))
  try {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const page = join(home, 'report.html')
    const { port } = server.address() as AddressInfo
    await runHere(
      ['analytics', 'report', '--from', '2026-01', '--to', '2026-10', '--readers', '--out', page],
      {
        env: { PUBCTL_API_KEY: 'key-of-a-picture', PUBCTL_BASE_URL: `http://127.0.0.1:${port}` },
        home,
        clock: { ...systemClock, now: () => Date.UTC(2026, 10, 22, 12) },
      },
    )
    const browser = await openBrowser()
    try {
      let picture: Buffer = Buffer.alloc(0)
      await visit(browser, page, { width: 1000, colorScheme: 'light' }, async shown => {
        await shown.setViewportSize({ width: 1000, height: 1480 })
        picture = await shown.screenshot()
      })
      return new Map([['docs/analytics-report.png', picture]])
    } finally {
      await browser.close()
    }
  } finally {
    server.close()
    rmSync(home, { recursive: true, force: true })
  }
}
