// In a project of one's own: the tarball as docs/library.md installs it, and the examples of that page.
import { copyFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { artefact } from '../support/machine/artefacts.ts'
import { runExamples } from '../support/machine/library-examples.ts'
import { lacksPackages, noPackages, npmEnvironment } from '../support/machine/npm.ts'
import { blockBelow } from '../support/machine/pages.ts'
import { runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

describe.runIf(isSlow && process.platform !== 'win32')('a project with the library', () => {
  it('does what the page says, and its types are right to the strictest compiler', async ({ skip }) => {
    const tarball = await artefact('tarball')
    const project = temporaryFolder()
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    copyFileSync(tarball, join(project, basename(tarball)))
    const installed = await runAt(
      { cwd: project, env: { PATH: process.env['PATH'] ?? '', ...npmEnvironment() } },
      blockBelow('docs/library.md', '# Using pubctl as a library', 'sh'),
    )
    if (lacksPackages(installed.stderr)) skip(noPackages)
    expect(installed, installed.stderr).toMatchObject({ code: 0 })
    expect(await runExamples(project)).toEqual({
      'Upload a book': expect.stringMatching(/^0 of \d+ bytes.*\n(\d+ of \d+ bytes.*\n)+pub_\w+ available$/),
      'Every request of the service': expect.stringMatching(/^dom_\w+ \d+\n(\S+ .+\n?)+$/),
      'Errors, and stopping': 'failed 3 true',
      'Look at a book': expect.stringMatching(/^EPUB A First Book/),
      'Decide what to do with a book': expect.stringMatching(/^create /),
      'The sandbox in your tests': expect.stringMatching(/pass 2\n.*fail 0/s),
      CommonJS: 'function function',
    })
  }, 120_000)
})
