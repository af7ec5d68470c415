import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shellWord } from '../../src/system/shell-word.ts'
import { fileOf } from '../support/books/make-book.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

describe.skipIf(process.platform === 'win32')('a terminal that does not know its width', () => {
  it('gets no live line, which would be drawn without end', async () => {
    const home = temporaryFolder()
    const { code, text } = await atTerminal(
      'pubctl sandbox book a.epub -q && stty cols 0 rows 0 && pubctl --profile sandbox publications upload a.epub --timeout 2s',
      { home, env: { PUBCTL_SANDBOX_DELAY: '1m' } },
    ).ended()
    expect({ code, text: text.slice(-2000) }).toEqual({
      code: 13,
      text: expect.stringMatching(/did not finish within 2 s/),
    })
    expect(text.length).toBeLessThan(5000)
  })
})

describe('a command to copy', () => {
  const odd = ['plain.epub', 'it\'s $(id) `id` \\ "x".epub', '-x.epub', 'a b;c&d.epub', '*.epub', '~.epub']

  it.skipIf(process.platform === 'win32')(
    'names a file such that a shell takes it as one word and runs nothing of it',
    () => {
      const script = `printf '%s\\n' ${odd.map(name => shellWord(name, 'linux')).join(' ')}`
      const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
      expect(words).toEqual(odd.map(name => (name.startsWith('-') ? `./${name}` : name)))
    },
  )

  it.each([
    ['C:\\books\\first.epub', 'C:\\books\\first.epub'],
    ['two words & more.epub', '"two words & more.epub"'],
    ['D:\\my books\\', '"D:\\my books\\\\"'],
    ['$(calc) `n.epub', '"`$(calc) ``n.epub"'],
    ['a” ; calc “.epub', '"a`” ; calc `“.epub"'],
    ['an "id"', '"an id"'],
  ])('names %s on Windows such that PowerShell takes it as one word and runs nothing of it', (name, word) => {
    expect(shellWord(name, 'win32')).toBe(word)
  })

  it('does so where it names the sheet of what failed', async () => {
    const { home, sandbox } = machine()
    const folder = join(home, '$(touch PWNED)')
    mkdirSync(folder)
    const books = ['one.epub', 'two.epub'].map(name => fileOf(`no book: ${name}`))
    writeFileSync(join(folder, 'note.txt'), '')
    const { code, err } = await sandbox([
      'publications',
      'upload',
      ...books,
      '--report',
      join(folder, 'r.json'),
    ])
    expect(code).toBe(10)
    expect(err).toContain(`--manifest ${shellWord(join(folder, 'failed.csv'))}`)
  })
})
