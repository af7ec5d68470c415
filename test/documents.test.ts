import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages, readPage as read } from './support/pages.ts'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(read('package.json'))

/** What a heading in Markdown is called in a link. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

describe('CONTRIBUTING', () => {
  it('gives the reason for each dependency, and for none that there is not', () => {
    const [, section = ''] = read('CONTRIBUTING.md').split('\n## Dependencies\n')
    const rows = section.split('\n').filter(line => line.startsWith('| `'))
    const named = rows.flatMap(row =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = manifest
    expect(named.sort()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
    )
  })
})

describe('SECURITY', () => {
  const [, section = ''] = read('SECURITY.md').split('\n## What is promised\n')
  const rows = section.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| |'))

  it.each(rows.map(row => row.split(' | ')))('%s: %s', (_, __, tests = '') => {
    const named = tests.replace(/ \|$/, '').split('<br>')
    for (const each of named) {
      const [, file = '', title = ''] = /^`(test\/[\w/-]+\.test\.ts)`: (.+)$/.exec(each) ?? []
      expect(existsSync(join(root, file)), each).toBe(true)
      const quoted = ["'", '"', '`'].map(mark => `${mark}${title}${mark},`)
      expect(
        quoted.some(text => read(file).includes(text)),
        each,
      ).toBe(true)
    }
  })

  it('has a promise in each row', () => expect(rows.length).toBeGreaterThan(20))
})

describe.each(pages)('%s', name => {
  const text = read(name)

  it('names only scripts that there are', () => {
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:]+)/g))
      expect(manifest.scripts).toHaveProperty([script])
  })

  it('links only to what there is', () => {
    for (const [, file = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = file === '' ? name : join(dirname(name), file)
      expect(existsSync(join(root, target)), file).toBe(true)
      if (anchor === undefined) continue
      const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
      expect(headings).toContain(anchor)
    }
  })

  it('names only files that there are', () => {
    for (const [, path = ''] of text.matchAll(/`((?:src|test|bin|completions|\.ci)\/[\w./-]*)`/g))
      if (!path.includes('shelves')) expect(existsSync(join(root, path)), path).toBe(true)
  })
})
