import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../scripts/screen.ts'
import { makeBook } from '../support/books/make-book.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { screenAfter } from '../support/machine/screen.ts'
import { share } from '../support/machine/slow.ts'

/** A folder with three books and an EPUBCheck that goes on when its file `go` is there. */
function threeBooks(): { home: string; env: Record<string, string> } {
  const home = temporaryFolder()
  for (const name of ['one', 'two', 'three']) writeFileSync(join(home, `${name}.epub`), makeBook())
  const script = `#!/bin/sh\nwhile [ ! -e '${home}/go' ]; do sleep 0.05; done\necho '{"messages":[]}'\n`
  writeFileSync(join(home, 'epubcheck'), script)
  chmodSync(join(home, 'epubcheck'), 0o755)
  return { home, env: { PATH: `${home}:${process.env['PATH']}` } }
}

const inspect = 'pubctl inspect one.epub two.epub three.epub --epubcheck --fields file'

describe.skipIf(process.platform === 'win32')('--progress', () => {
  it('shows progress at a terminal while the results go to a file as JSON', async () => {
    const { home, env } = threeBooks()
    const running = atTerminal(`${inspect} -o ndjson --progress > out.ndjson`, { home, env })
    await running.until(/1 of 3 {2}one\.epub/)
    writeFileSync(join(home, 'go'), '')
    expect((await running.ended()).code).toBe(0)
    expect(readFileSync(join(home, 'out.ndjson'), 'utf8')).toBe(
      '{"file":"one.epub"}\n{"file":"two.epub"}\n{"file":"three.epub"}\n',
    )
  })

  it.each(share(['ndjson', 'csv'], 2))(
    'leaves nothing of it between the lines of %s on the same screen',
    async format => {
      const { home, env } = threeBooks()
      const slowly = `(sleep 1; : > go) & ${inspect} -o ${format} --progress`
      const { code, lines } = await screenAfter(slowly, { home, columns: 80, env })
      expect(code).toBe(0)
      const names = ['one.epub', 'two.epub', 'three.epub']
      const printed = lines.map(textOf)
      // The last line is as long as the path of the checker.
      const last = format === 'csv' ? printed.splice(names.length + 1).join(' ') : undefined
      expect(printed).toEqual(
        format === 'csv' ? ['file', ...names] : names.map(file => JSON.stringify({ file })),
      )
      if (format === 'csv') expect(last).toMatch(/^3 books: .* Checked by EPUBCheck \(\S+\)\.$/)
    },
  )

  it.each([
    ['without it', ''],
    ['with --quiet', '--progress --quiet'],
  ])('is not shown in a JSON format %s', async (_, options) => {
    const { home, env } = threeBooks()
    writeFileSync(join(home, 'go'), '')
    const running = atTerminal(`${inspect} -o ndjson ${options} > out.ndjson`, { home, env })
    expect(await running.ended()).toEqual({ code: 0, text: '' })
    expect(existsSync(join(home, 'out.ndjson'))).toBe(true)
  })

  it('shows that of an upload, whose receipts stay whole lines', async () => {
    const { home } = threeBooks()
    const upload = 'pubctl --profile sandbox publications upload one.epub two.epub three.epub'
    const running = atTerminal(`${upload} -o ndjson --progress --fields file > out.ndjson`, {
      home,
      env: { PUBCTL_SANDBOX_DELAY: '300ms' },
    })
    await running.until(/\d of 3 done/)
    expect((await running.ended()).code).toBe(0)
    const receipts = readFileSync(join(home, 'out.ndjson'), 'utf8').trimEnd().split('\n')
    expect(receipts.map(line => JSON.parse(line).file).sort()).toEqual(['one.epub', 'three.epub', 'two.epub'])
  })

  it('leaves standard error to scripts where that is no terminal', async () => {
    const { home } = threeBooks()
    const { run } = machine()
    const books = ['one', 'two', 'three'].map(name => join(home, `${name}.epub`))
    expect(await run(['inspect', ...books, '-o', 'ndjson', '--progress'])).toMatchObject({ code: 0, err: '' })
  })
})
