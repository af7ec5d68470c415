import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/index.ts'
import { circlesIn, type Graph } from '../support/circles.ts'

const src = join(import.meta.dirname, '../../src')

/** What each layer may import, itself aside; docs/architecture.md draws the same picture. */
const mayImport: Record<string, readonly string[]> = {
  'start.ts': ['code-cache.ts', 'system', 'world.ts'],
  'code-cache.ts': ['config', 'system', 'world.ts'],
  executable: ['config', 'system'],
  'main.ts': ['program.ts', 'errors.ts', 'world.ts', 'output'],
  'program.ts': [
    'cli',
    'commands',
    'context.ts',
    'contract',
    'create-context.ts',
    'errors.ts',
    'groups.ts',
    'mcp',
    'output',
    'world.ts',
  ],
  'groups.ts': ['cli', 'commands', 'context.ts', 'mcp'],
  'create-context.ts': ['client', 'config', 'context.ts', 'output', 'version.ts', 'world.ts'],
  'context.ts': ['client', 'config', 'contract', 'output', 'warning.ts', 'world.ts'],
  mcp: ['cli', 'errors.ts', 'is-object.ts', 'output', 'system', 'world.ts'],
  shells: ['cli'],
  cli: [
    'books',
    'client',
    'context.ts',
    'contract',
    'errors.ts',
    'output',
    'plan',
    'sources',
    'system',
    'version.ts',
    'world.ts',
  ],
  'version.ts': [],
  commands: [
    'calendar.ts',
    'cut-text.ts',
    'is-object.ts',
    'batch',
    'warning.ts',
    'books',
    'cli',
    'client',
    'config',
    'context.ts',
    'contract',
    'doctor',
    'errors.ts',
    'exact-json.ts',
    'output',
    'journal',
    'mcp',
    'plan',
    'publication-index',
    'queue',
    'shells',
    'sources',
    'system',
    'transfer',
    'version.ts',
    'watching',
    'world.ts',
  ],
  watching: [
    'batch',
    'context.ts',
    'contract',
    'errors.ts',
    'output',
    'plan',
    'sources',
    'system',
    'transfer',
    'version.ts',
    'warning.ts',
    'world.ts',
  ],
  batch: [
    'cli',
    'config',
    'context.ts',
    'contract',
    'cut-text.ts',
    'errors.ts',
    'journal',
    'output',
    'plan',
    'publication-index',
    'queue',
    'sources',
    'system',
    'transfer',
    'version.ts',
    'warning.ts',
  ],
  library: [
    'cut-text.ts',
    'books',
    'client',
    'config',
    'contract',
    'errors.ts',
    'journal',
    'output',
    'plan',
    'system',
    'transfer',
    'version.ts',
    'warning.ts',
    'world.ts',
  ],
  queue: ['errors.ts', 'exact-json.ts', 'journal', 'plan', 'system', 'transfer', 'world.ts'],
  doctor: [
    ...['is-object.ts', 'client', 'config', 'contract', 'errors.ts', 'system', 'warning.ts', 'world.ts'],
  ],
  sources: ['is-object.ts', 'books', 'errors.ts', 'exact-json.ts', 'formula.ts', 'plan', 'system'],
  transfer: [
    'is-object.ts',
    'books',
    'client',
    'contract',
    'errors.ts',
    'exact-json.ts',
    'formula.ts',
    'journal',
    'output',
    'plan',
    'publication-index',
    'system',
    'warning.ts',
    'world.ts',
  ],
  'calendar.ts': [],
  'formula.ts': [],
  'is-object.ts': [],
  journal: ['errors.ts', 'exact-json.ts', 'plan', 'system', 'world.ts'],
  'publication-index': ['errors.ts', 'exact-json.ts', 'plan', 'system'],
  plan: ['contract', 'exact-json.ts', 'warning.ts'],
  books: ['errors.ts', 'system'],
  client: ['is-object.ts', 'contract', 'cut-text.ts', 'errors.ts', 'exact-json.ts', 'system', 'world.ts'],
  sandbox: ['is-object.ts', 'books', 'calendar.ts', 'contract', 'errors.ts', 'system', 'world.ts'],
  config: ['is-object.ts', 'errors.ts', 'system', 'world.ts'],
  output: ['calendar.ts', 'cut-text.ts', 'errors.ts', 'exact-json.ts', 'formula.ts', 'system', 'world.ts'],
  contract: [],
  system: ['errors.ts'],
  'world.ts': ['system'],
  'errors.ts': ['cut-text.ts'],
  'cut-text.ts': [],
  'exact-json.ts': [],
  'warning.ts': [],
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
const layerOf = (file: string): string => file.split('/')[0] as string

interface Import {
  target: string
  isDynamic: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found: Import[] = []
  for (const [, path = ''] of text.matchAll(/^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm)) {
    found.push({ target: resolve(file, path), isDynamic: false })
  }
  for (const [, path = ''] of text.matchAll(/^import '(\.[^']+)'/gm)) {
    found.push({ target: resolve(file, path), isDynamic: false })
  }
  for (const [, path = ''] of text.matchAll(/import\('(\.[^']+)'\)/g)) {
    found.push({ target: resolve(file, path), isDynamic: true })
  }
  return found
}

const resolve = (file: string, path: string): string => relative(src, join(src, dirname(file), path))

describe('the layers of the source', () => {
  it('finds the files it speaks of', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.map(layerOf).filter(layer => !(layer in mayImport))).toEqual([])
  })

  it.each(files)('%s imports only what lies below it', file => {
    const layer = layerOf(file)
    const wrong = importsOf(file).filter(({ target, isDynamic }) => {
      const to = layerOf(target)
      if (to === layer || target.startsWith('..')) return false
      if (to === 'sandbox')
        return !((file.startsWith('commands/sandbox/') && isDynamic) || file === 'library/sandbox.ts')
      return !mayImport[layer]?.includes(to)
    })
    expect(wrong).toEqual([])
  })
})

/** What each file imports, types and what is loaded later included. */
const imports: Graph = new Map(
  files.map(file => [file, new Set(importsOf(file).map(({ target }) => target))]),
)

/** What the files and folders directly within a folder import of each other. */
function graphWithin(folder: string): Graph {
  const prefix = folder === '' ? '' : `${folder}/`
  const childOf = (file: string): string => prefix + file.slice(prefix.length).split('/')[0]
  const graph = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    if (!file.startsWith(prefix)) continue
    const child = childOf(file)
    const reached = graph.get(child) ?? new Set()
    graph.set(child, reached)
    for (const target of targets) {
      if (target.startsWith(prefix) && childOf(target) !== child) reached.add(childOf(target))
    }
  }
  return graph
}

const folders = [
  '',
  ...readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => relative(src, join(entry.parentPath, entry.name))),
]

describe('a circle of imports', () => {
  it('is among no files', () => {
    expect(circlesIn(imports)).toEqual([])
  })

  it.each(folders)('is not within src/%s', folder => {
    expect(circlesIn(graphWithin(folder))).toEqual([])
  })

  it('is not in the table of layers', () => {
    expect(
      circlesIn(new Map(Object.entries(mayImport).map(([layer, below]) => [layer, new Set(below)]))),
    ).toEqual([])
  })
})

describe('every resource group', () => {
  it.each(Object.keys(contract))('%s has a file on each layer', group => {
    for (const layer of ['contract', 'commands', 'sandbox']) {
      const places = [`${layer}/${group}.ts`, `${layer}/${group}/index.ts`]
      expect(places.filter(place => files.includes(place))).toHaveLength(1)
    }
  })
})
