import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { topics } from '../../src/cli/topics.ts'
import { exitCodes } from '../../src/system/errors.ts'
import { shellWord } from '../../src/system/shell-word.ts'
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

  it('is no help on another command than the one that was asked for', async () => {
    const { run } = machine()
    for (const words of [
      ['upload'],
      ['covers', 'set'],
      ['publications', 'uplaod'],
      ['domains', 'lst', '--json'],
    ]) {
      const plain = await run(words)
      expect(plain).toMatchObject({ code: 2, out: '' })
      for (const help of ['--help', '-h']) {
        expect(await run([...words, help])).toEqual(plain)
      }
    }
    for (const words of [['publications'], ['publications', 'upload', 'nonsense'], ['inspect', 'nonsense']])
      expect((await run([...words, '--help'])).code).toBe(0)
  })

  it.each([
    [['upload'], 'there is no command "upload"; did you mean "publications upload"?'],
    [['login'], 'there is no command "login"; did you mean "profile setup"?'],
    [['version'], 'there is no command "version"; did you mean "--version"?'],
    [['list'], 'there is no command "list"; did you mean "publications list"?'],
    [['ls'], 'there is no command "ls"; did you mean "publications list"?'],
    [['config'], 'there is no command "config"; did you mean "profile"?'],
    [['publication'], 'there is no command "publication"; did you mean "publications"?'],
    [
      ['a book.epub'],
      `there is no command "a book.epub"; did you mean "publications upload ${shellWord('a book.epub')}"?`,
    ],
    [['feed.xml'], 'there is no command "feed.xml"; did you mean "catalogue plan feed.xml"?'],
    [['plan.ndjson'], 'there is no command "plan.ndjson"; did you mean "catalogue apply plan.ndjson"?'],
    [['search'], 'there is no command "search"; did you mean "publications list --search"?'],
    [['sync'], 'there is no command "sync"; did you mean "catalogue plan"?'],
    [['wait'], 'there is no command "wait"; did you mean "publications wait"?'],
    [['constructor'], 'there is no command "constructor"'],
    [['domains', 'rm'], 'there is no command "rm" in "domains"; did you mean "delete"?'],
    [['domains', 'lst', '--json'], 'there is no command "lst" in "domains"; did you mean "list"?'],
    [['domains', 'list', '--jsn'], 'unknown option "--jsn"; did you mean "--json"?'],
    [['whoami', '-o', 'jsn'], '--output: "jsn" is not one of its values; did you mean "json"?'],
  ])('of the program leads %j to what was meant', async (words, message) => {
    const { code, out, err } = await machine().run(words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.startsWith('{') ? JSON.parse(err).error.message : err.split('\n')[0]).toBe(
      err.startsWith('{') ? message : `error: ${message}`,
    )
  })

  it('is a screen to begin with for pubctl alone, and each line of it works', async () => {
    const { run } = machine()
    const { code, out } = await run([], { columns: 80 })
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(20)
    expect(Math.max(...lines.map(line => stringWidth(line)))).toBeLessThanOrEqual(80)
    const commands = out.matchAll(/^ {2}pubctl (.*?)(?: {2}.*)?$/gm)
    for (const [, line = ''] of commands) {
      const words = line.split(' ')
      if (!words.includes('--help')) words.push('--help')
      expect({ line, ...(await run(words)) }).toMatchObject({ code: 0 })
    }
    expect((await run(['--json'])).code).toBe(2)
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
