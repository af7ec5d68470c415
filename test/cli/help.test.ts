import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { topics } from '../../src/cli/topics.ts'
import { exitCodes } from '../../src/system/errors.ts'
import { machine } from '../support/machine/pubctl.ts'
import { leaves, root } from '../support/machine/tree.ts'

const paths = ['', ...root.commands.map(({ path }) => path), ...leaves(root).map(({ path }) => path)]
const pages = [...paths, ...topics.map(({ name }) => name)]

describe('pubctl help', () => {
  it.each(pages)(
    '%s fits a terminal of 80 columns, but for examples that are there to be copied',
    async page => {
      const { code, out, err } = await machine().run(['help', ...page.split(' ').filter(Boolean)], {
        columns: 80,
      })
      expect([code, err]).toEqual([0, ''])
      const lines = out.split('\n').filter(line => !line.startsWith('  $ ') && !line.includes('{"error"'))
      expect(lines.filter(line => stringWidth(line.replace(/\u001b\[\d+m/g, '')) > 80)).toEqual([])
    },
  )

  it.each(paths.filter(Boolean))('%s is what --help prints', async path => {
    const { run } = machine()
    const words = path.split(' ')
    expect(await run(['help', ...words])).toEqual(await run([...words, '--help']))
  })

  it('has the examples before the options and the commands', async () => {
    const { out } = await machine().run(['help', 'publications', 'upload'])
    const at = ['Usage:', 'Examples:', 'The book:', 'The upload:'].map(heading => out.indexOf(heading))
    expect(at).toEqual([...at].sort((one, other) => one - other))
    expect(at).not.toContain(-1)
    const group = (await machine().run(['publications', '--help'])).out
    expect(group.indexOf('Examples:')).toBeLessThan(group.indexOf('Commands:'))
  })

  it('tells every exit code', async () => {
    const { out } = await machine().run(['help', 'exit-codes'])
    for (const code of Object.values(exitCodes)) expect(out).toMatch(new RegExp(`^ {2}${code} +\\w`, 'm'))
  })

  it('suggests what was meant, and fails as usage', async () => {
    const { run } = machine()
    const wrong = async (...words: string[]) => await run(['help', ...words])
    expect(await wrong('nonsense')).toEqual({
      code: 2,
      out: '',
      err: 'error: there is no command or topic "nonsense"\n  pubctl --help lists the commands.\n',
    })
    expect((await wrong('enviroment')).err).toContain('did you mean "environment"?')
    expect((await wrong('publication')).err).toContain('did you mean "publications"?')
    expect((await wrong('publications', 'uplaod')).err).toContain('did you mean "upload"?')
    expect((await wrong('publications', 'uplaod')).err).toMatch(
      /^error: there is no command "uplaod" in "publications"; did you mean "upload"\?\n/,
    )
    // A topic is no command of a group.
    expect((await wrong('publications', 'environment')).err).toMatch(
      /^error: there is no command "environment" in "publications"\n/,
    )
    expect((await wrong('whoami', 'more')).code).toBe(2)
    expect((await wrong('exit-codes', 'more')).code).toBe(2)
    expect((await wrong('__complete')).code).toBe(2)
  })

  it('is data on asking', async () => {
    const { run } = machine()
    const command = JSON.parse((await run(['help', 'domains', 'get', '--json'])).out)
    expect(command).toMatchObject({ path: 'domains get', arguments: [{ name: 'id' }] })
    const topic = JSON.parse((await run(['help', 'formatting', '--json'])).out)
    expect(topic).toMatchObject({ name: 'formatting', sections: expect.any(Array) })
    const { code, out, err } = await run(['help', 'nonsense', '--json'])
    expect([code, out, JSON.parse(err).error.code]).toEqual([2, '', 'usage'])
  })
})
