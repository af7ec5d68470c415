import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generators } from '../../scripts/generate.ts'

const root = join(import.meta.dirname, '../..')

it.each(Object.entries(generators))('%s: the files are what npm run generate writes', async (_, generate) => {
  const files = await generate()
  expect(files.size).toBeGreaterThan(0)
  for (const [path, text] of files) expect(text, path).toBe(readFileSync(join(root, path), 'utf8'))
})
