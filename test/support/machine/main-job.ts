import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makePdf } from '../books/make-pdf.ts'
import { runAt } from './place.ts'
import { temporaryFolder } from './pubctl.ts'

/** Does the main job with the `pubctl` of a place, in a script there. A PDF is among the books, since a process reads it. */
export async function doMainJob({ home = temporaryFolder(), env, ...place }: Parameters<typeof runAt>[0]) {
  writeFileSync(join(home, 'book.pdf'), makePdf({ info: '/Title (Flatland)' }))
  chmodSync(join(home, 'book.pdf'), 0o644)
  const script = [
    'pubctl sandbox book first.epub --quiet -o ndjson --fields file',
    'pubctl inspect book.pdf -o ndjson --fields title',
    'pubctl --profile sandbox publications upload first.epub -o ndjson --fields outcome,uploadStatus',
    'pubctl --profile sandbox publications list -o ndjson --fields title',
  ]
  const run = await runAt(
    { ...place, home, env: { PUBCTL_KEYCHAIN: 'off', PUBCTL_SANDBOX_DELAY: '5ms', CI: 'true', ...env } },
    script.join('\n'),
  )
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(run.stdout.split('\n').map(line => JSON.parse(line))).toEqual([
    { file: 'first.epub' },
    { title: 'Flatland' },
    { outcome: 'uploaded', uploadStatus: 'available' },
    { title: 'The Publisher’s First Upload' },
  ])
}
