import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sectionOf } from '../support/machine/pages.ts'
import { isSlow } from '../support/machine/slow.ts'
import { copyToTry, filesToChange } from '../support/machine/tried-change.ts'

const root = join(import.meta.dirname, '../..')

describe.runIf(isSlow)(
  'a new thing needs the files that CONTRIBUTING.md lists:',
  () => {
    it('an action', async () => {
      const [first = '', ...others] = filesToChange('A new action')
      const copy = copyToTry()
      copy.change(
        first,
        "    | { readonly action: 'no-file'",
        "    | { readonly action: 'archive'; readonly publicationId: string }\n    | { readonly action: 'no-file'",
      )
      const faults = await copy.compile()
      expect(Object.keys(faults).sort()).toEqual([...others].sort())
      for (const path of others) expect(faults[path]).toContain("'archive' is missing")
    })

    it('an action that is carried out in a new way', async () => {
      const [table = '', ...others] = filesToChange('A new way to carry out an action')
      const copy = copyToTry()
      copy.change(table, "'upload' | 'update' | 'people'", "'upload' | 'update' | 'archive' | 'people'")
      copy.change(table, "'begun' | 'facts'", "'begun' | 'archive' | 'facts'")
      expect(Object.keys(await copy.compile()).sort()).toEqual([...others].sort())
    })

    it('a group', async () => {
      const [contract = '', index = '', ...others] = filesToChange('A new group')
      const copy = copyToTry()
      const domains = readFileSync(join(root, 'src/service/contract/domains.ts'), 'utf8')
      copy.write(
        contract,
        domains
          .replaceAll('domain', 'shelf')
          .replaceAll('Domain', 'Shelf')
          .replace('const shelfs', 'const shelves'),
      )
      copy.change(index, 'import { uploads }', "import { shelves } from './shelves.ts'\nimport { uploads }")
      copy.change(index, '  users,\n', '  users,\n  shelves,\n')
      expect(Object.keys(await copy.compile()).sort()).toEqual([...others].sort())
      const demanded = () => copy.test('test/project/imports.test.ts', 'shelves has a file on each layer')
      expect(await demanded()).not.toBe(0)
      const lying = [...sectionOf('CONTRIBUTING.md', '## A new group').matchAll(/^- `([^`]+)`/gm)]
      expect(lying).toHaveLength(2)
      for (const [, path = ''] of lying) copy.write(path, 'export const shelves = 1\n')
      expect(await demanded()).toBe(0)
    })

    it('an ONIX field', async () => {
      const [first = '', ...others] = filesToChange('A new ONIX field')
      const copy = copyToTry()
      copy.change(first, 'export type OptionalKey =', "export type OptionalKey = 'copyright'")
      const faults = await copy.compile()
      expect(Object.keys(faults)).toEqual(others)
      for (const path of others) expect(faults[path]).toContain("'copyright' is missing")
    })

    it('a check', async () => {
      const [check = '', hints = ''] = filesToChange('A new check')
      const copy = copyToTry()
      copy.change(check, "'spine_empty'", "'spine_crooked'")
      const faults = await copy.compile()
      expect(Object.keys(faults)).toEqual([check])
      expect(faults[check]).toContain('"spine_crooked"')
      copy.change(hints, '} as const', "  spine_crooked: 'Straighten it.',\n} as const")
      expect(await copy.compile()).toEqual({})
    })

    it('a check of this machine', async () => {
      const [names = '', ...others] = filesToChange('A new check of this machine')
      const copy = copyToTry()
      copy.change(names, "  | 'store'\n", "  | 'store'\n  | 'disk'\n")
      const faults = await copy.compile()
      expect(Object.keys(faults)).toEqual(others)
      for (const path of others) expect(faults[path]).toContain("'disk' is missing")
    })

    it('a fault', async () => {
      const [first = '', ...others] = filesToChange('A new fault')
      const copy = copyToTry()
      copy.change(first, "'cut', 'stall']", "'cut', 'stall', 'echo']")
      const faults = await copy.compile()
      expect(Object.keys(faults).sort()).toEqual([...others].sort())
      for (const path of others) expect(faults[path]).toContain('echo')
      copy.change(
        'src/library/sandbox.ts',
        '  readonly stall?',
        '  readonly echo?: number | undefined\n  readonly stall?',
      )
      expect(Object.keys(await copy.compile())).toEqual(['src/sandbox/http/inject-fault.ts'])
    })
  },
  300_000,
)
