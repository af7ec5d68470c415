import { describe, expect, it } from 'vitest'
import { isSlow } from '../support/machine/slow.ts'
import { copyToTry, filesToChange } from '../support/machine/tried-change.ts'

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
  },
  240_000,
)
