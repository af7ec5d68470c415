import { beforeAll, describe, expect, it } from 'vitest'
import { readDeclarations } from '../support/machine/declarations.ts'

let declarations: ReturnType<typeof readDeclarations>
beforeAll(() => {
  declarations = readDeclarations()
})

describe("the library's reference", () => {
  it('is what its types say, written out by themselves', async () => {
    // Written anew by: npm run library
    await expect(reference()).toMatchFileSnapshot('../../docs/library-reference.md')
  })

  it('says of each function and class what it is for', () => {
    const { declared, exports } = declarations
    const silent = [...exports.index, ...exports.sandbox].filter(name => {
      const { kind, doc } = declared.get(name) ?? { kind: 'nothing', doc: '' }
      return kind === 'nothing' || (/^(function|class|const)$/.test(kind) && doc === '')
    })
    expect(silent).toEqual([])
  })

  it('leaves out no type that another one names', () => {
    const { declared, exports } = declarations
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

function reference(): string {
  const { declared, exports } = declarations
  const entry = (name: string): string[] => {
    const { doc = '', text = '' } = declared.get(name) ?? {}
    // Errors are thrown by pubctl alone, so how they are made is not public.
    const shown = text.replace(/^ {4}constructor\(.*?\);\n/gms, '')
    return [`### ${name}`, '', ...(doc === '' ? [] : [doc, '']), '```ts', shown, '```', '']
  }
  const part = (title: string, names: readonly string[], kinds: RegExp): string[] => {
    const chosen = names.filter(name => kinds.test(declared.get(name)?.kind ?? '')).sort()
    return chosen.length === 0 ? [] : [`## ${title}`, '', ...chosen.flatMap(entry)]
  }
  return [
    '# Reference of the library',
    '',
    'What [the library](library.md) exports, as its types say it. This page is written by `npm run library`.',
    '',
    ...part('pubctl', exports.index, /^(function|const)$/),
    ...part('pubctl: errors', exports.index, /^class$/),
    ...part('pubctl/sandbox', exports.sandbox, /^(function|const|class|interface|type)$/),
    ...part('pubctl: types', exports.index, /^(interface|type)$/),
  ].join('\n')
}
