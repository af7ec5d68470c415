import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** The names that several files export, each with the reason. */
const shared: Readonly<Record<string, string>> = {
  register: 'each group of commands is registered by it, which src/groups.ts calls',
  decide: 'what the library gives to programs is the decision of src/plan with their own types',
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm

it('every name is exported once, but for those that have a reason', () => {
  const files = new Map<string, Set<string>>()
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    // The types of the service are written out for programs, under the names that they have in the contract.
    if (!file.endsWith('.ts') || file === join('library', 'service.ts')) continue
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(declaration))
      files.set(name, (files.get(name) ?? new Set()).add(file))
  }
  const twice = [...files].filter(([, all]) => all.size > 1).map(([name, all]) => [name, [...all]] as const)
  expect(twice.filter(([name]) => !(name in shared))).toEqual([])
  expect(twice.map(([name]) => name).sort()).toEqual(Object.keys(shared).sort())
})
