import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

const upload = ['--profile', 'sandbox', 'publications', 'upload', 'book.epub']
const ctrlC = '\u0003'

/** A folder with a book. */
function oneBook(): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'book.epub'), makeBook())
  return home
}

describe('the receipt of one book at a terminal', () => {
  it.skipIf(process.platform === 'win32')(
    'says interrupted after Ctrl-C, as the sum of a batch does',
    async () => {
      const running = atTerminal(upload, { home: oneBook(), env: { PUBCTL_SANDBOX_DELAY: '1h' } })
      await running.until(/upload_pending/)
      running.type(ctrlC)
      const { code, text } = await running.ended()
      expect(code).toBe(130)
      expect(text).toMatch(/outcome\s+\S*interrupted/)
      expect(text).not.toMatch(/outcome\s+\S*uploaded/)
    },
  )

  it('says processing where nobody waits, or waits too briefly', async () => {
    const { sandbox } = machine()
    for (const [given, exit] of [
      [['--no-wait'], 0],
      [['--timeout', '1s', '--again'], 13],
    ] as const) {
      const book = join(oneBook(), 'book.epub')
      const args = ['publications', 'upload', book, ...given]
      const { code, out } = await sandbox(args, { columns: 80, env: { PUBCTL_SANDBOX_DELAY: '1h' } })
      expect({ code, out }).toMatchObject({
        code: exit,
        out: expect.stringMatching(/outcome\s+\S*processing/),
      })
    }
  })

  it('keeps the outcome of the receipt for scripts', async () => {
    const { sandbox } = machine()
    const book = join(oneBook(), 'book.epub')
    const env = { PUBCTL_SANDBOX_DELAY: '1h' }
    const args = ['publications', 'upload', book, '--no-wait', '--again']
    expect((await sandbox(args, { env })).out).toContain('\tuploaded\t')
    expect((await sandbox([...args, '--fields', 'outcome'], { columns: 80, env })).out).toContain('uploaded')
    expect((await sandbox([...args, '--query', 'outcome'], { columns: 80, env })).out).toBe('uploaded\n')
  })
})
