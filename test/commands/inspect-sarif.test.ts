import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../support/books/make-book.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { fakeEpubCheck, fakeText } from '../support/machine/fake-epubcheck.ts'
import { machine } from '../support/machine/pubctl.ts'
import { sarifFaults } from '../support/sarif/validator.ts'

/** A folder with a wrong and an odd book, an EPUBCheck, and rules of a house beside a pack. */
function withFolder() {
  const own = machine()
  const at = (name: string) => join(own.home, name)
  mkdirSync(at('books'))
  const body = '<p><img alt="" src="gone.png"/></p>'.repeat(2)
  const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body>${body}</body></html>`
  for (const name of ['wrong.epub', 'odd.epub'])
    writeFileSync(at(`books/${name}`), makeBook({ entries: { 'EPUB/one.xhtml': page } }))
  writeFileSync(
    at('house.yaml'),
    'rules:\n  - id: house-title\n    check: { metadata: { name: dc:title, pattern: ^Z } }\n    hint: Begin with Z.\n    link: https://house.example/titles\n  - id: reference_missing\n    severity: error\n',
  )
  const programs = at('programs')
  const PATH = fakeEpubCheck(programs)
  return { ...own, at, by: fakeText(programs), env: { PATH } }
}

/** A reference to a rule, with its descriptor. */
const ruleOf = (
  tool: { driver: { rules: object[] }; extensions: { name: string; rules: object[] }[] },
  { ruleIndex, rule }: { ruleIndex?: number; rule?: { index: number; toolComponent: { index: number } } },
) => {
  const component = rule ? tool.extensions[rule.toolComponent.index] : tool.driver
  return {
    of: rule ? tool.extensions[rule.toolComponent.index]?.name : 'pubctl',
    ...component?.rules[rule?.index ?? ruleIndex ?? -1],
  }
}

describe('a SARIF report', () => {
  it('is valid, and says of each problem whether pubctl, another program or rules of somebody have found it', async () => {
    const { run, at, env, by } = withFolder()
    const report = at('report.sarif')
    await run(
      [
        'inspect',
        at('books'),
        '--epubcheck',
        '--rules',
        at('house.yaml'),
        '--rules',
        'retail',
        '--report',
        report,
      ],
      {
        env,
      },
    )
    const text = readFileSync(report, 'utf8')
    expect(sarifFaults(text)).toEqual([])
    const [{ tool, results }] = JSON.parse(text).runs
    const rules = results.map((each: Parameters<typeof ruleOf>[1] & { ruleId: string }) => ({
      ruleId: each.ruleId,
      ...ruleOf(tool, each),
    }))
    for (const { ruleId, id } of rules) expect(id).toBe(ruleId)
    const found = (id: string) => rules.find((each: { id: string }) => each.id === id)
    expect(found('house-title')).toMatchObject({
      of: 'house.yaml',
      help: { text: 'Begin with Z.' },
      helpUri: 'https://house.example/titles',
    })
    expect(found('RSC-099')).toMatchObject({ of: 'EPUBCheck' })
    // A built-in code is pubctl's, whoever grades it.
    expect(found('reference_missing')).toMatchObject({ of: 'pubctl', help: { text: expect.any(String) } })
    expect(tool.extensions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'EPUBCheck', version: '5.3.0', fullName: by }),
      ]),
    )
    expect(tool.extensions.map(({ name }: { name: string }) => name)).toContain('retail')
  })

  it('names books of this folder by their relative paths, and knows a problem again whose line has moved', async () => {
    const { at, home } = withFolder()
    const inspect = async (name: string, folder: string) => {
      await execa(process.execPath, [bin, 'inspect', folder, '--report', name], {
        ...{ cwd: home, env: environment({ HOME: home }), extendEnv: false, reject: false },
      })
      return JSON.parse(readFileSync(at(name), 'utf8')).runs[0].results as {
        locations: [{ physicalLocation: { artifactLocation: { uri: string } } }]
        partialFingerprints: { primaryLocationLineHash: string }
      }[]
    }
    const first = await inspect('relative.sarif', 'books')
    const uris = new Set(first.map(({ locations }) => locations[0].physicalLocation.artifactLocation.uri))
    expect(uris).toEqual(new Set(['books/wrong.epub', 'books/odd.epub']))
    const prints = first.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
    expect(new Set(prints).size).toBe(prints.length)
    expect(await inspect('absolute.sarif', at('books'))).toEqual(first)
    const moved = makeBook({
      entries: {
        'EPUB/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body>\n\n${'<p><img alt="" src="gone.png"/></p>'.repeat(2)}</body></html>`,
      },
    })
    writeFileSync(at('books/wrong.epub'), moved)
    const later = await inspect('later.sarif', 'books')
    expect(later.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)).toEqual(
      prints,
    )
    expect(later).not.toEqual(first)
  })
})
