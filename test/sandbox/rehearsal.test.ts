import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodes } from '../../src/system/errors.ts'
import { environment, pathWithPubctl } from '../support/machine/bin.ts'
import { sectionOf } from '../support/machine/pages.ts'
import { removeFolder } from '../support/machine/remove-folder.ts'
import { share } from '../support/machine/slow.ts'

const section = sectionOf('docs/sandbox.md', '## Rehearse every exit code')
const preparation = /^```sh\n(.*?)^```$/ms.exec(section)?.[1] ?? ''

/** What a shell has to be told again: a variable and a function. */
const settings = preparation
  .split('\n')
  .filter(line => /^(export |key\(\))/.test(line))
  .join('\n')

/** The rows of the table: an exit code, and the command line that ends with it. */
const rows = [...section.matchAll(/^\| (\d+) \| `(.+)` \|$/gm)].map(
  ([, code, command = '']) => [Number(code), command.replaceAll('\\|', '|')] as const,
)

/** Codes that nobody can bring about on purpose. */
const unrehearsed: readonly number[] = [exitCodes.fault]

describe('the table of exit codes to rehearse', () => {
  it('has every exit code but that of a fault', () => {
    const wanted = Object.values(exitCodes).filter(code => !unrehearsed.includes(code))
    expect(rows.map(([code]) => code)).toEqual(wanted)
  })
})

describe.skipIf(process.platform === 'win32').sequential('the command line for exit code', () => {
  let run: (script: string) => Promise<{ exitCode?: number; stderr: string }>

  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'))
  afterAll(() => removeFolder(folder))

  beforeAll(async () => {
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    run = async script =>
      await execa('/bin/sh', ['-c', script], {
        cwd: folder,
        env: environment({ PATH: pathWithPubctl(tools), HOME: folder }),
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
      })
    expect(await run(`set -e\n${preparation}`)).toMatchObject({ exitCode: 0 })
  })

  it.each(share(rows, 6))('%i ends with it: %s', async (code, command) => {
    const { exitCode, stderr } = await run(`${settings}\n${command}`)
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr })
  })
})
