import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { bin } from '../support/machine/bin-path.ts'
import { readPage } from '../support/machine/pages.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

describe('what is stored', () => {
  it.skipIf(process.platform === 'win32')(
    'is what docs/security.md says, and for its owner alone',
    async () => {
      const { home, run, sandbox } = machine()
      const book = join(temporaryFolder(), 'book.epub')
      writeFileSync(book, await makeExampleEpub({}))
      await sandbox(['publications', 'upload', book])
      const setUp = ['profile', 'setup', 'work', '--base-url', 'https://api.example.com', '--no-verify']
      await run([...setUp, '--api-key-file', '-'], { stdin: 'a-key' })

      execFileSync(process.execPath, [bin, '--help'], { env: { HOME: home } })

      const places = [...readPage('docs/security.md').matchAll(/^\| `~\/(\S+)` \|/gm)].map(
        ([, place = '']) => place,
      )
      const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      for (const file of files) {
        const found = statSync(join(home, file))
        expect(found.mode & 0o077, file).toBe(0)
        if (!found.isDirectory())
          expect(
            places.filter(place => file.startsWith(place)),
            file,
          ).toHaveLength(1)
      }
      for (const place of places)
        expect(files.filter(file => `${file}/`.startsWith(place.replace(/\/?$/, '/')))).not.toEqual([])
    },
  )
})
