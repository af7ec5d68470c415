import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesIn, graphWithin, readImports, roomOf } from '../../.ci/imports.js'
import { contract } from '../../src/service/contract/index.ts'
import { readPage } from '../support/machine/pages.ts'

const src = join(import.meta.dirname, '../../src')

/**
 * What each room may import, itself aside, from top to bottom; docs/architecture.md draws the same picture. `system` is
 * below everything, so it stands in no row.
 */
const mayImport: Record<string, readonly string[]> = {
  'main.ts': ['program.ts', 'cli'],
  'program.ts': ['groups.ts', 'commands', 'agents', 'cli', 'service'],
  'groups.ts': ['commands', 'agents', 'cli', 'service'],
  commands: [
    'watch',
    'queue',
    'agents',
    'catalogue',
    'uploads',
    'analytics',
    'inspect',
    'pack',
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
  pack: ['pages', 'books'],
  help: ['cli'],
  pages: ['cli'],
  plan: ['service'],
  sandbox: ['service', 'books'],
  cli: ['service', 'config'],
  service: [],
  books: ['service'],
  start: ['config'],
  config: [],
  system: [],
}

const imports = readImports(src)
const files = [...imports.keys()]

describe('the layers of the source', () => {
  it('finds the files it speaks of', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.map(roomOf).filter(layer => !(layer in mayImport))).toEqual([])
  })

  it.each(files)('%s imports only what lies below it', file => {
    const layer = roomOf(file)
    const wrong = (imports.get(file) ?? []).filter(({ target, isDynamic }) => {
      const to = roomOf(target)
      if (to === layer || target.startsWith('..')) return false
      if (to === 'sandbox')
        return !((file.startsWith('commands/sandbox/') && isDynamic) || file === 'library/sandbox.ts')
      return to !== 'system' && !mayImport[layer]?.includes(to)
    })
    expect(wrong).toEqual([])
  })
})

const folders = [
  '',
  ...readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => relative(src, join(entry.parentPath, entry.name))),
]

describe('a circle of imports', () => {
  it('is among no files', () => {
    const targets = [...imports].map(
      ([file, found]) => [file, new Set(found.map(each => each.target))] as const,
    )
    expect(circlesIn(new Map(targets))).toEqual([])
  })

  it.each(folders)('is not within src/%s', folder => {
    expect(circlesIn(graphWithin(imports, folder))).toEqual([])
  })

  it('is not in the table of layers', () => {
    expect(
      circlesIn(new Map(Object.entries(mayImport).map(([layer, below]) => [layer, new Set(below)]))),
    ).toEqual([])
  })
})

describe('the walk of an upload in docs/architecture.md', () => {
  const [, walk = ''] = readPage('docs/architecture.md').split('\n## The walk of an upload\n')
  const [, picture = ''] = /^```text\n(.*?)^```$/ms.exec(walk) ?? []
  const steps = [...picture.matchAll(/^( *)src\/(\S+)/gm)].map(([, margin = '', file = '']) => ({
    file,
    depth: margin.length / 2,
  }))

  it('names each file once, from the arguments to the receipt', () => {
    expect(steps.map(({ file }) => file)).toEqual([...new Set(steps.map(({ file }) => file))])
    expect([steps[0]?.file, steps.at(-1)?.file]).toEqual(['main.ts', 'uploads/batch/conclude.ts'])
  })

  it.each(steps.slice(1))('goes down to $file', ({ file, depth }) => {
    const above = steps.slice(
      0,
      steps.findIndex(each => each.file === file),
    )
    const caller = above.findLast(each => each.depth < depth)
    expect(caller?.depth).toBe(depth - 1)
    expect(imports.get(caller?.file ?? '')?.map(({ target }) => target)).toContain(file)
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

describe('a program', () => {
  it('is started with execa, but for those that are asked about documents', () => {
    const direct = files.filter(file =>
      /'(?:node:)?child_process'/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(direct).toEqual([join('books', 'apart', 'ask.ts')])
  })
})
