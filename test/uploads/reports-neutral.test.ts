import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { watchScene } from '../support/machine/watch-scene.ts'
import { bookService } from '../support/servers/book-service.ts'

/** What a terminal obeys, or what reorders and hides text: OSC, CSI, C1, DEL, a bidirectional override, a lone surrogate. */
const controls = '\u001b]0;owned\u0007 \u001b[31m \u009b31m \u007f \u202egpj.exe \u2066 \ud800 \r \t'
const inName = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egpj'

async function reported(ending: string) {
  const folder = temporaryFolder()
  const file = join(folder, `a ${inName}.epub`)
  writeFileSync(file, await makeExampleEpub({}))
  writeFileSync(join(folder, 'b.epub'), await makeExampleEpub({}))
  const body = { error: 'INVALID_REQUEST', message: `No: ${controls}` }
  const { env } = await bookService({ to: 'POST', status: 400, body })
  const report = join(folder, `report${ending}`)
  const { code } = await machine(env).run(['publications', 'upload', folder, '--report', report])
  expect(code).toBe(10)
  return {
    file,
    text: readFileSync(report, 'utf8'),
    failed: readFileSync(join(folder, 'failed.csv'), 'utf8'),
  }
}

describe.skipIf(process.platform === 'win32')('a report', () => {
  it.each(['.json', '.csv', '.xml', '.html'])(
    'as %s holds no character that a terminal obeys',
    async ending => {
      const { text } = await reported(ending)
      expect(foreignControls(text, false)).toEqual([])
      expect(text).not.toContain('\t')
      expect(text).toContain('owned')
    },
  )

  it('as JSON still holds the very name of the file', async () => {
    const { file, text } = await reported('.json')
    expect(JSON.parse(text)[0].file).toBe(file)
  })

  it('of what failed holds the names and wishes as they are, to be read again, and no such error', async () => {
    const { file, failed } = await reported('.json')
    const rows = parse(failed, { columns: true }) as { file: string; error: string }[]
    expect(rows[0]?.file).toBe(file)
    for (const { error } of rows) expect(foreignControls(error, false)).toEqual([])
  })
})

/** What JSON and YAML can write without loss. */
const odd = `A \u001b[31m\u009b31m \u007f \u202egpj.exe \u2066 title`

describe('what is written for other programs shows no such character, and loses none:', () => {
  it('a plan file', async () => {
    const { home, sandbox } = machine()
    const at = (name: string) => join(home, name)
    writeFileSync(at('sheet.json'), JSON.stringify([{ isbn: '9783161484100', title: odd }]))
    await sandbox(['catalogue', 'plan', at('sheet.json'), '--out', at('plan.ndjson')])
    const text = readFileSync(at('plan.ndjson'), 'utf8')
    expect(foreignControls(text, false)).toEqual([])
    expect(
      JSON.stringify(
        text
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line)),
      ),
    ).toContain(JSON.stringify(odd).slice(1, -1))
  })

  it.skipIf(process.platform === 'win32')('a receipt of watch', async () => {
    const { put, at, watch } = watchScene()
    await put(`${inName}.epub`, odd)
    await watch()
    const text = readFileSync(at('done', `${inName}.epub.receipt.json`), 'utf8')
    expect(foreignControls(text, false)).toEqual([])
    expect(JSON.parse(text).file).toBe(at(`${inName}.epub`))
  })

  it('an exported sheet', async () => {
    const { home, sandbox } = machine()
    const book = join(home, 'book.epub')
    writeFileSync(book, await makeExampleEpub({}))
    await sandbox(['publications', 'upload', book, '--title', odd])
    for (const [name, read] of [
      ['all.json', (text: string) => JSON.parse(text)],
      ['all.yaml', (text: string) => parseYaml(text)],
    ] as const) {
      await sandbox(['catalogue', 'export', '--out', join(home, name)])
      const text = readFileSync(join(home, name), 'utf8')
      expect(foreignControls(text, false)).toEqual([])
      expect((read(text) as { title: string }[]).map(({ title }) => title)).toContain(odd)
    }
  })
})
