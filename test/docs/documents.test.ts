import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { moods } from '../simulation/moods.ts'
import { pages, readPage as read } from '../support/machine/pages.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(read('package.json'))

/** What a heading in Markdown is called in a link. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The links of a page to files of the project, by their paths from the root. */
const linksIn = (page: string): { file: string; anchor: string | undefined }[] =>
  [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file = '', anchor]) => ({
    file: file === '' ? page : posix.join(posix.dirname(page), file),
    anchor,
  }))

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

/** The promises of a page, each with the tests that keep it. */
const promisesIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter(line => line.startsWith('| ') && !/^\| (?:\||promise)/.test(line))
    .map(row => row.replace(/ \|$/, '').split(' | '))

/** `file`, or `file`: title. */
function expectTest(named: string): void {
  const [, file = '', title] = /^`(test\/[\w/-]+\.test\.ts)`(?:: (.+))?$/.exec(named) ?? []
  expect(existsSync(join(root, file)), named).toBe(true)
  const quoted = ["'", '"', '`'].map(mark => `${mark}${title}${mark},`)
  expect(title === undefined || quoted.some(text => read(file).includes(text)), named).toBe(true)
}

describe('SECURITY', () => {
  const [, section = ''] = read('SECURITY.md').split('\n## What is promised\n')
  const promises = promisesIn(section)

  it.each(promises)('%s: %s', (_, __, tests = '') => {
    for (const each of tests.split('<br>')) {
      expect(each).toMatch(/`: /)
      expectTest(each)
    }
  })

  it('has a promise in each row', () => expect(promises.length).toBeGreaterThan(20))
})

describe('the guarantees', () => {
  const promises = promisesIn(read('docs/guarantees.md'))
  const scenarios = read('test/simulation/scenarios.ts')

  it.each(promises)('%s', (_, __, holders = '') => {
    for (const each of holders.split('<br>')) {
      if (each.startsWith('`')) expectTest(each)
      else {
        expect(each).toMatch(/scenario/)
        for (const [, name] of each.matchAll(/`([^`]+)`/g)) expect(scenarios).toContain(`name: '${name}'`)
      }
    }
  })

  it('has a promise in each row', () => expect(promises.length).toBeGreaterThan(10))

  it('name each mood in which the service is simulated', () => {
    const guarantees = read('docs/guarantees.md')
    for (const { name } of moods) expect(guarantees).toContain(`\`${name}\``)
  })
})

describe('what broke on Windows', () => {
  const [, section = ''] = read('docs/windows.md').split('\n## What broke here, and what holds it\n')
  const rows = promisesIn(section).slice(1)

  it.each(rows)('%s', (_, places = '', tests = '') => {
    for (const [, place = ''] of places.matchAll(/`([^`]+)`/g))
      expect(existsSync(join(root, place)), place).toBe(true)
    for (const each of tests.split('<br>')) {
      expect(each).toMatch(/`: /)
      expectTest(each)
    }
  })

  it('has a fault in each row', () => expect(rows.length).toBeGreaterThan(20))
})

describe('the pages', () => {
  it('can all be reached from the README', () => {
    const reached = new Set(['README.md'])
    for (const page of reached)
      for (const { file } of linksIn(page)) if (file.endsWith('.md')) reached.add(file)
    expect([...reached].sort()).toEqual([...pages].sort())
  })

  it('and all that they link to come with the package', () => {
    const shipped = [...manifest.files, 'README.md', 'LICENSE', 'package.json']
    for (const { file } of pages.flatMap(linksIn))
      expect(
        shipped.some(each => file === each || file.startsWith(`${each}/`)),
        file,
      ).toBe(true)
  })

  it('begin with a README of at most 250 lines', () => {
    expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(250)
  })

  it('show the structure of the source as it is', () => {
    const [, picture = ''] = /^```text\n(.*?)^```$/ms.exec(read('docs/architecture.md')) ?? []
    const shown = [...picture.matchAll(/^(src\/[\w.-]+)/gm)].map(([, path = '']) => path)
    for (const path of shown) expect(existsSync(join(root, path)), path).toBe(true)
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(each => each.isDirectory())
    for (const { name } of folders) expect(shown).toContain(`src/${name}`)
  })
})

describe.each(pages)('%s', name => {
  const text = read(name)

  it('names only scripts that there are', () => {
    for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g))
      expect(manifest.scripts).toHaveProperty([script])
  })

  it('links only to what there is', () => {
    for (const { file, anchor } of linksIn(name)) {
      expect(existsSync(join(root, file)), file).toBe(true)
      if (anchor === undefined) continue
      const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
      expect(headings).toContain(anchor)
    }
  })

  it('names only files that there are', () => {
    for (const [, path = ''] of text.matchAll(/`((?:src|test|bin|completions|\.ci)\/[\w./-]*)`/g))
      if (!path.includes('shelves')) expect(existsSync(join(root, path)), path).toBe(true)
  })
})
