import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../src/sandbox/index.ts'
import { loadZod } from '../src/service/contract/load-zod.ts'
import { systemClock } from '../src/system/world.ts'
import { drawScreen } from './draw-screen.ts'
import { runHere } from './program.ts'
import { type ScreenLine, screenOf } from './screen.ts'
import { openTerminal } from './terminal.ts'

/** The pictures of a terminal in the README and in docs/. */
export async function pictures(): Promise<Map<string, string>> {
  const home = mkdtempSync(join(tmpdir(), 'pubctl-pictures-'))
  try {
    return new Map([['docs/main-job.svg', await mainJob(home)], ...(await analytics(home))])
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Ids, times and ports differ each time; all else is compared as it stands. */
export const alike = (text: string): string =>
  text
    .replace(/\b(pub|ed|dom)_[0-9a-f]{20}\b/g, '$1_4f1b7c02a9d85e63b017')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '5d0f9c3e-7a41-4b28-9e65-c1d2f3a4b586')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '2026-01-01 00:00')

const prompt = (command: string): ScreenLine => [
  { text: '$ ', column: 0, width: 2, isBold: false, isDim: true, colour: undefined },
  { text: command, column: 2, width: command.length, isBold: true, isDim: false, colour: undefined },
]

/** What the main job shows at a terminal. */
async function mainJob(home: string): Promise<string> {
  const shown: ScreenLine[] = []
  const columns = 88
  for (const [index, command] of [
    'pubctl sandbox book first.epub --quiet',
    'pubctl --profile sandbox publications upload first.epub',
    'pubctl --profile sandbox publications list',
  ].entries()) {
    const env = { PATH: process.env['PATH'] ?? '', PUBCTL_KEYCHAIN: 'off' }
    const { text } = await openTerminal(command, { home, env, columns }).ended()
    if (index > 0) shown.push(prompt(command), ...(await screenOf(text, columns)), [])
  }
  return alike(drawScreen(shown.slice(0, -1), columns, 'Uploading a book with pubctl, and listing it'))
}

/** The day of the pictures of what is read. What the sandbox says of reading depends on the day alone. */
const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 22, 12) }

const ofReading = [
  {
    name: 'months',
    title: 'Bars for the views of each month, of which the last is not over, with the readers beside them',
    command: 'analytics scope',
  },
  {
    name: 'popular',
    title: 'Popular titles with bars for their views, each with a sparkline of its reads by month',
    command: 'analytics popular --trend',
  },
  {
    name: 'calendar',
    title: 'A calendar of the views of a book, the darker the more',
    command: 'analytics activity pub_backlist_alice --from 2026-06-01 --to 2026-11-22',
  },
]

/** What the sandbox shows of reading at a terminal, each by the path of its picture. */
async function analytics(home: string): Promise<[string, string][]> {
  await loadZod()
  const columns = 100
  const { baseUrl, keys, close } = await startService({ dataDir: join(home, 'sandbox'), clock })
  const key = keys.find(({ name }) => name === 'full')?.key ?? ''
  const env = { PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key, PUBCTL_KEYCHAIN: 'off', LANG: 'C.UTF-8' }
  try {
    const drawn: [string, string][] = []
    for (const { name, title, command } of ofReading) {
      const screen = [
        prompt(`pubctl --profile sandbox ${command}`),
        ...(await screenOf(await runHere(command.split(' '), { env, home, clock, columns }), columns)),
      ]
      drawn.push([`docs/analytics-${name}.svg`, drawScreen(screen, columns, title)])
    }
    return drawn
  } finally {
    await close()
  }
}
