import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contract } from '../../src/service/contract/index.ts'
import { circlesIn, type Graph } from '../support/machine/circles.ts'

const src = join(import.meta.dirname, '../../src')

/**
 * What each room may import, itself aside, from top to bottom; docs/architecture.md draws the same picture. `system` is
 * below everything, so it stands in no row.
 */
const mayImport: Record<string, readonly string[]> = {
  'main.ts': ['program.ts', 'cli'],
  'program.ts': ['groups.ts', 'commands', 'agents', 'cli', 'service'],
  'groups.ts': ['commands', 'agents', 'cli'],
  commands: [
    'watch',
    'queue',
    'agents',
    'catalogue',
    'uploads',
    'analytics',
    'inspect',
    'doctor',
    'help',
    'plan',
    'cli',
    'service',
    'books',
    'config',
  ],
  watch: ['catalogue', 'uploads', 'plan', 'cli', 'service', 'books'],
  queue: ['catalogue', 'uploads', 'plan', 'cli'],
  agents: ['cli'],
  library: ['uploads', 'plan', 'cli', 'service', 'books', 'config'],
  catalogue: ['uploads', 'pages', 'plan', 'cli', 'service', 'books'],
  doctor: ['uploads', 'cli', 'service', 'config'],
  uploads: ['pages', 'plan', 'cli', 'service', 'books', 'config'],
  analytics: ['pages', 'cli', 'service'],
  inspect: ['pages', 'cli', 'books'],
  help: ['cli'],
  pages: ['cli'],
  plan: ['service'],
  sandbox: ['service', 'books'],
  cli: ['service', 'config'],
  service: [],
  books: [],
  start: ['config'],
  config: [],
  system: [],
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
      return to !== 'system' && !mayImport[layer]?.includes(to)
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
    for (const layer of ['service/contract', 'commands', 'sandbox']) {
      const places = [`${layer}/${group}.ts`, `${layer}/${group}/index.ts`]
      expect(places.filter(place => files.includes(place))).toHaveLength(1)
    }
  })
})
