import { ValidationSeverity, validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { readPage } from '../support/machine/pages.ts'
import { parse } from '../support/machine/parse.ts'

const page = readPage('docs/watch.md')
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

describe('the page about watching', () => {
  it('has a unit of systemd whose command is one', async () => {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/pubctl (.*)$/m.exec(blockOf('ini')) ?? []
    expect(await parse(words.split(' '))).toBe('watch')
  })

  it('has a recipe of a container that is valid, and whose command is one', async () => {
    const recipe = blockOf('dockerfile')
    const problems = validate(recipe, { instructionCasing: ValidationSeverity.ERROR })
    expect(problems.map(({ message }) => message)).toEqual([])
    expect(await parse(JSON.parse(/^CMD (.*)$/m.exec(recipe)?.[1] ?? '[]'))).toBe('watch')
  })

  it('has a line for cron whose command is one', async () => {
    const [, words = ''] = /pubctl (.*)$/m.exec(blockOf('text')) ?? []
    expect(await parse(words.split(' '))).toBe('watch')
  })
})
