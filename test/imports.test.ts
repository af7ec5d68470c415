import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contract } from '../src/contract/index.ts'

const src = join(import.meta.dirname, '../src')

/** What each floor may import, itself aside; the README's "How it is built" draws the same picture. */
const mayImport: Record<string, readonly string[]> = {
  'start.ts': ['code-cache.ts', 'system', 'world.ts'],
  'code-cache.ts': ['config', 'system', 'world.ts'],
  'main.ts': ['program.ts', 'errors.ts', 'world.ts', 'context.ts', 'output'],
  'program.ts': ['commands', 'context.ts', 'errors.ts', 'help.ts', 'options.ts', 'output', 'world.ts'],
  'help.ts': ['commands'],
  'tree.ts': ['commands', 'errors.ts'],
  shells: ['tree.ts'],
  'context.ts': [
    'warning.ts',
    'client',
    'config',
    'contract',
    'errors.ts',
    'options.ts',
    'output',
    'system',
    'version.ts',
    'world.ts',
  ],
  'options.ts': ['errors.ts', 'output', 'version.ts'],
  'version.ts': [],
  commands: [
    'warning.ts',
    'program.ts',
    'books',
    'client',
    'config',
    'context.ts',
    'contract',
    'doctor',
    'errors.ts',
    'options.ts',
    'output',
    'plan',
    'shells',
    'system',
    'tree.ts',
    'uploads',
    'version.ts',
    'world.ts',
  ],
  doctor: ['client', 'config', 'contract', 'errors.ts', 'system', 'world.ts'],
  uploads: ['books', 'client', 'contract', 'errors.ts', 'plan', 'system', 'warning.ts', 'world.ts'],
  plan: ['contract'],
  books: ['errors.ts', 'system'],
  client: ['contract', 'cut-text.ts', 'errors.ts', 'system', 'world.ts'],
  sandbox: ['books', 'contract', 'errors.ts', 'system', 'world.ts'],
  config: ['errors.ts', 'system', 'world.ts'],
  output: ['cut-text.ts', 'errors.ts', 'system', 'world.ts'],
  contract: [],
  system: ['errors.ts'],
  'world.ts': ['system'],
  'errors.ts': ['cut-text.ts'],
  'cut-text.ts': [],
  'warning.ts': [],
}

/** Types that flow up are allowed here alone: a command names the type of what runs it. */
const typesOnly = new Set(['commands → program.ts'])

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
const floorOf = (file: string): string => file.split('/')[0] as string

interface Import {
  target: string
  isType: boolean
  isDynamic: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found: Import[] = []
  for (const [, keyword = '', path = ''] of text.matchAll(
    /^(import type|import|export)\b[^'"]*?from '(\.[^']+)'/gm,
  )) {
    found.push({ target: resolve(file, path), isType: keyword === 'import type', isDynamic: false })
  }
  for (const [, path = ''] of text.matchAll(/import\('(\.[^']+)'\)/g)) {
    found.push({ target: resolve(file, path), isType: false, isDynamic: true })
  }
  return found
}

const resolve = (file: string, path: string): string => relative(src, join(src, dirname(file), path))

describe('the floors of the house', () => {
  it('finds the files it speaks of', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.map(floorOf).filter(floor => !(floor in mayImport))).toEqual([])
  })

  it.each(files)('%s imports only what lies below it', file => {
    const floor = floorOf(file)
    const wrong = importsOf(file).filter(({ target, isType, isDynamic }) => {
      const to = floorOf(target)
      if (to === floor || target.startsWith('..')) return false
      if (to === 'sandbox') return !(file === 'commands/sandbox.ts' && isDynamic)
      return !mayImport[floor]?.includes(to) || (typesOnly.has(`${floor} → ${to}`) && !isType)
    })
    expect(wrong).toEqual([])
  })
})

describe('every resource group', () => {
  it.each(Object.keys(contract))('%s has a file on each floor', group => {
    for (const floor of ['contract', 'commands', 'sandbox']) expect(files).toContain(`${floor}/${group}.ts`)
  })
})
