import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../.ci/bundle.js'
import { plants as inputs } from '../fuzz/plants.ts'
import { plants as histories } from '../simulation/plants.ts'

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

describe('a fault that is planted to be found', () => {
  it.each([...histories, ...inputs])('has its place in the source: $name', ({ file, text }) => {
    expect(textOf(file).split(text)).toHaveLength(2)
  })

  it.each(histories)('stands in the list of those that the simulation finds: $name', ({ name, ...at }) => {
    const found = at.seed === undefined ? '' : `seed ${at.seed} |`
    expect(textOf('test/simulation/README.md')).toContain(`| ${name} | \`${at.scenario}\` | ${found}`)
  })
})
