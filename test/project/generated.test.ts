import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDeclarations } from '../../scripts/declarations.ts'
import { generators } from '../../scripts/generate.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')

/** Those that take seconds wait for `npm run check:slow`. */
const quick = Object.entries(generators).filter(
  ([name]) => isSlow || !['library', 'pictures', 'completions'].includes(name),
)

it.each(quick)('%s: the files are what npm run generate writes', async (_, generate) => {
  const files = await generate()
  expect(files.size).toBeGreaterThan(0)
  for (const [path, text] of files) expect(text, path).toBe(readFileSync(join(root, path), 'utf8'))
})

describe.runIf(isSlow)("the library's reference", () => {
  it('says of each function and class what it is for', () => {
    const { declared, exports } = readDeclarations()
    const silent = [...exports.index, ...exports.sandbox].filter(name => {
      const { kind, doc } = declared.get(name) ?? { kind: 'nothing', doc: '' }
      return kind === 'nothing' || (/^(function|class|const)$/.test(kind) && doc === '')
    })
    expect(silent).toEqual([])
  })

  it('leaves out no type that another one names', () => {
    const { declared, exports } = readDeclarations()
    const shown = new Set([...exports.index, ...exports.sandbox])
    const lacking = [...shown].flatMap(name => {
      const { text = '' } = declared.get(name) ?? {}
      const code = text.replace(/\/\*\*.*?\*\//gs, '').replace(/'[^'\n]*'/g, '')
      const named = [...code.matchAll(/\b[A-Z]\w+/g)].map(([each]) => each)
      return named.filter(each => declared.get(each)?.isExported && !shown.has(each))
    })
    expect([...new Set(lacking)]).toEqual([])
  })
})
