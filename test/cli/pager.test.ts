import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'

/** A table of four lines: a new sandbox has three domains. */
const command = 'pubctl --profile sandbox domains list'

/** Runs a command at a terminal of so many lines, with a pager that keeps what it gets. */
async function shown(line: string, { rows = 4, env = {} }: { rows?: number; env?: Record<string, string> }) {
  const home = temporaryFolder()
  const file = join(home, 'given')
  const pager = join(home, 'pager')
  writeFileSync(pager, `#!/bin/sh\nenv | grep PUBCTL_\ncat > ${file}\n`, { mode: 0o700 })
  const { code, text } = await atTerminal(line, {
    home,
    rows,
    env: { PAGER: pager, ...env },
  }).ended()
  return { code, text, given: existsSync(file) ? readFileSync(file, 'utf8') : undefined }
}

const table = /^DOMAIN .* ID\n(\S+ .* dom_\w+\n){3}$/

describe.skipIf(process.platform === 'win32')('a table at a terminal', () => {
  it('goes through the pager if it has more lines than the terminal, without variables of pubctl', async () => {
    const { code, text, given } = await shown(command, { env: { NO_COLOR: '1' } })
    expect(code).toBe(0)
    expect(text).toBe('')
    expect(given).toMatch(table)
  })

  const atOnce: [string, string, Parameters<typeof shown>[1]][] = [
    ['if it fits', command, { rows: 5 }],
    ['with --no-pager', `${command} --no-pager`, {}],
    ['with --no-input, since a pager waits for keys', `${command} --no-input`, {}],
    ['with an empty PAGER', command, { env: { PAGER: '' } }],
    ['with PUBCTL_PAGER=cat, which counts for more than PAGER', command, { env: { PUBCTL_PAGER: 'cat' } }],
    ['with a pager that is not there', command, { env: { PAGER: 'no-such-pager -R' } }],
    ['with a pager that ends at once with an error', command, { env: { PAGER: 'exit 3;' } }],
    [
      'with a pager that takes everything and ends with an error',
      command,
      { env: { PAGER: 'cat >/dev/null; exit 1;' } },
    ],
    [
      'with a pager that is only in the current folder',
      `ln -s pager some-pager; PATH=:$PATH ${command}`,
      { env: { PAGER: 'some-pager' } },
    ],
    ['where a dumb terminal cannot show one', `export TERM=dumb; ${command}`, {}],
    ['in CI', command, { env: { CI: 'true' } }],
    ['as JSON', `${command} --json`, {}],
    ['in a pipe', `${command} | cat`, {}],
  ]
  it.each(share(atOnce, 6))('is printed at once %s', async (_, line, options) => {
    const { code, text, given } = await shown(line, options)
    expect(code).toBe(0)
    expect(given).toBeUndefined()
    for (const name of ['library', 'school', 'staging']) expect(text).toContain(`dom_${name}`)
  })

  it('is printed at once where it says what was done, and opens none', async () => {
    const folder = temporaryFolder()
    const { titles } = await makeBooks(folder, 4)
    const { code, text, given } = await shown(
      `pubctl --profile sandbox publications upload ${folder} --no-wait`,
      {},
    )
    expect(code, text).toBe(0)
    expect(given).toBeUndefined()
    for (const title of titles) expect(text).toContain(`${title}.epub`)
  })

  it.runIf(isSlow)('ends well when the pager is left early', async () => {
    const { code, text } = await shown(command, { env: { PAGER: 'head -n 2', NO_COLOR: '1' } })
    expect(code).toBe(0)
    expect(text.trim().split('\n')).toHaveLength(2)
  })

  it('leaves Ctrl-C to the pager while that is open', async () => {
    const home = temporaryFolder()
    const pager = join(home, 'pager')
    const script =
      'trap "echo stopped a search" INT\ncat > /dev/null\necho open\nread -r key < /dev/tty\nread -r key < /dev/tty'
    writeFileSync(pager, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
    const terminal = atTerminal(command, { home, rows: 4, env: { PAGER: pager } })
    await expect.poll(() => terminal.shown).toContain('open')
    terminal.type('\u0003')
    await expect.poll(() => terminal.shown).toContain('stopped a search')
    terminal.type('\r\r')
    expect(await terminal.ended()).toMatchObject({ code: 0 })
  })
})
