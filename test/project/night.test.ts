import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { plants } from '../simulation/plants.ts'
import { freshCheckout } from '../support/machine/fresh-checkout.ts'
import { isSlow } from '../support/machine/slow.ts'

const root = join(import.meta.dirname, '../..')
const timeout = 600_000

interface Step {
  readonly run?: string
  readonly if?: string
  readonly with?: { readonly path?: string }
}
const { jobs } = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'))
const stepsOf = (search: string): readonly Step[] => jobs[search].steps

interface Change {
  readonly file: string
  readonly text: string
  readonly by: string
}

/** Runs the command line of the workflow in a checkout, perhaps one with a fault, for a part of a minute only. */
async function night(search: string, minutes: number, change?: Change) {
  const folder = freshCheckout()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  if (change) {
    const path = join(folder, change.file)
    const before = readFileSync(path, 'utf8')
    expect(before).toContain(change.text)
    writeFileSync(path, before.replace(change.text, change.by))
  }
  const line = stepsOf(search).find(({ run }) => run?.startsWith('npm run night'))?.run ?? ''
  expect(line).toContain(' --minutes 300')
  const [npm = '', ...args] = line
    .replace('--minutes 300', `--minutes ${minutes} --date 2026-01-02`)
    .split(' ')
  const { exitCode, stdout } = await execa(npm, args, { cwd: folder, reject: false })
  // What a failed job keeps.
  const kept = stepsOf(search).find(step => step.if === 'failure()')?.with?.path ?? ''
  const files = kept
    .trim()
    .split('\n')
    .map(each => join(folder, each))
    .flatMap(each =>
      existsSync(each) ? readdirSync(each, { recursive: true, encoding: 'utf8' }).sort() : [],
    )
  const log = readFileSync(join(folder, `dist/night/${search}.txt`), 'utf8')
  expect(stdout.trim().endsWith(log.trim())).toBe(true)
  return { exitCode, files, log }
}

describe.runIf(isSlow)('what is looked for at night', () => {
  it.each([
    ['simulate', '--seeds 1000000 --seed 1000000 --minutes 0.02', / histories, .* 0 wrong, in \d+ s\n$/],
    ['fuzz', '--seed 1000000 --minutes 0.02', /\n\d+ inputs, \d+ kept, 0 findings\n$/],
  ])(
    'begins from the seeds of the day, and says its figures: %s',
    { timeout },
    async (search, args, figures) => {
      const { exitCode, files, log } = await night(search, 0.02)
      expect({ exitCode, files }, log).toEqual({ exitCode: 0, files: [`${search}.txt`] })
      expect(log.split('\n')[0]).toBe(`npm run ${search} -- ${args}`)
      expect(log).toMatch(figures)
    },
  )

  it('fails and keeps the seed and the shortest history of what is found', { timeout }, async () => {
    const plant = plants.find(({ name }) => name === 'a file that is being processed is called available')
    const { exitCode, files, log } = await night('simulate', 0.5, plant)
    expect({ exitCode, files }, log).toEqual({ exitCode: 1, files: ['simulate.txt'] })
    expect(log).toMatch(/\n {2}seed \d+; the shortest history:\n(.*\n)+? {2}npm run simulate -- --replay /)
  })

  it('fails and keeps the input of what is found', { timeout }, async () => {
    const { exitCode, files, log } = await night('fuzz', 0.02, {
      file: 'src/books/xml.ts',
      text: 'if (found.doctype !== undefined) return\n',
      by: '\n',
    })
    expect({ exitCode, files }, log).toEqual({
      exitCode: 1,
      files: ['fuzz.txt', 'epub', expect.stringMatching(/^epub.fault-[0-9a-f]+\.base64$/)],
    })
    expect(log).toContain('FOUND epub: fault: ')
  })
})
