import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandNode } from '../../src/cli/command-tree.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isInstalled, pressTab, shells } from '../support/machine/shells.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { root } from '../support/machine/tree.ts'
import { json, serve } from '../support/servers/server.ts'

const all = (commands: readonly CommandNode[]): CommandNode[] =>
  commands.flatMap(each => [each, ...all(each.commands)])
const nameOf = ({ path }: CommandNode): string => path.split(' ').at(-1) ?? ''

describe('pubctl completions', () => {
  it('gives the script as a JSON string on asking', async () => {
    const { out } = await machine().run(['completions', 'bash', '--json'])
    expect(JSON.parse(out)).toEqual({ shell: 'bash', script: expect.stringContaining('complete -F _pubctl') })
  })

  it('suggests the shell that was meant', async () => {
    const { code, err } = await machine().run(['completions', 'bahs'])
    expect(code).toBe(2)
    expect(err).toContain('bash, zsh, fish, powershell')
  })
})

describe.each(shells)('in %s, Tab', shell => {
  const test = it.skipIf(!isInstalled(shell))

  test('offers the commands and the options of every command', () => {
    const globals = root.options.flatMap(({ long, short }) => (short ? [long, short] : [long]))
    // Without `npm run check:slow`, the shells share the commands.
    const commands = [{ ...root, path: '' }, ...share(all(root.commands), 4, shells.indexOf(shell))]
    const lines = commands.map(({ path }) => `pubctl ${path}${path && ' '}`)
    const { home } = machine()
    const offered = pressTab(shell, [...lines, ...lines.map(line => `${line}-`)], { home })
    for (const [index, command] of commands.entries()) {
      if (command.commands.length > 0) expect(offered[index]).toEqual(command.commands.map(nameOf).sort())
      const own = command.path === '' ? [] : command.options.map(({ long }) => long)
      expect(offered[commands.length + index]).toEqual([...own, ...globals].sort())
    }
  })

  test('offers choices, files, folders and the words of help', () => {
    const { home } = machine()
    for (const file of ['one.epub', 'a book.pdf']) writeFileSync(join(home, file), '')
    mkdirSync(join(home, 'sandbox-data'))
    const expected: Record<string, string[]> = {
      'pubctl publications list --status ': ['draft', 'live'],
      'pubctl publications list --status=d': ['--status=draft'],
      'pubctl -o ': ['csv', 'json', 'ndjson', 'table'],
      'pubctl domains list --output=j': ['--output=json'],
      'pubctl --color always completions f': ['fish'],
      'pubctl publications upload ': ['a book.pdf', 'one.epub', 'sandbox-data'],
      'pubctl publications upload one.epub --title T a': ['a book.pdf'],
      'pubctl publications upload --cover=on': ['--cover=one.epub'],
      'pubctl sandbox start --data-dir ': ['sandbox-data'],
      'pubctl --api-key-file o': ['one.epub'],
      'pubctl help env': ['environment'],
      'pubctl help publications up': ['update', 'upload'],
      'pubctl editions upload pub_1 on': ['one.epub'],
      'pubctl profile use ': ['sandbox'],
    }
    expect(pressTab(shell, Object.keys(expected), { home })).toEqual(Object.values(expected))
  })

  it.runIf(isSlow && isInstalled(shell))(
    'offers the ids that commands came across, and takes a colon for a letter',
    async () => {
      const { url, received } = await serve(({ url }, response) =>
        json(response, 200, url.startsWith('/v1/domains') ? { items: domains } : { item: publication }),
      )
      const domains = [
        { id: 'dom_1', domain: 'one.example.org' },
        { id: 'dom:2:b', domain: 'two.example.org' },
      ]
      const publication = { id: 'pub_1', editions: [{ id: 'ed_1', title: 'First' }, { id: 'ed_2' }] }
      const env = { PUBCTL_API_KEY: 'key-of-a-person', PUBCTL_BASE_URL: url }
      const { home, run } = machine(env)
      await run(['domains', 'list'])
      await run(['publications', 'get', 'pub_1'])
      const requests = received.length
      const expected: Record<string, string[]> = {
        'pubctl domains get ': ['dom:2:b', 'dom_1'],
        'pubctl domains get dom:': ['dom:2:b'],
        'pubctl domains delete dom_1 ': ['dom:2:b'],
        'pubctl domains update --description x d': ['dom:2:b', 'dom_1'],
        'pubctl analytics publication ': ['pub_1'],
        'pubctl editions get ': ['pub_1'],
        'pubctl editions get pub_1 ': ['ed_1', 'ed_2'],
      }
      expect(pressTab(shell, Object.keys(expected), { home, env })).toEqual(Object.values(expected))
      expect(received.length).toBe(requests)
    },
  )

  test('runs nothing that is typed or offered', async () => {
    const evil = [
      '$(touch owned)',
      '`touch owned`',
      "'; touch owned; '",
      '"; touch owned; "',
      'x;touch owned',
      'x\ntouch owned',
      '\u001b]0;owned\u0007',
      '-o',
      '(touch owned)',
    ]
    const { url } = await serve((_, response) =>
      json(response, 200, {
        items: [
          ...evil.map(id => ({ id, domain: id })),
          ...evil.map((domain, n) => ({ id: `d${n}`, domain })),
        ],
      }),
    )
    const env = { PUBCTL_API_KEY: 'key-of-a-person', PUBCTL_BASE_URL: url }
    const { home, run } = machine(env)
    await run(['domains', 'list'])
    expect(pressTab(shell, ['pubctl domains get '], { home, env })).toEqual([
      evil.map((_, index) => `d${index}`),
    ])

    // The script alone, when pubctl itself is somebody else's.
    const stub = `printf '%s\\tx\\n' '$(touch owned)' '\`touch owned\`' 'x;touch owned' '(touch owned)' '\\'`
    pressTab(shell, ['pubctl domains get ', 'pubctl domains get $', 'pubctl --profile='], { home, stub })
    const typed = ['$(touch owned)', '`touch owned`', "'$(touch owned)", '(touch owned)', '"`touch owned`" x']
    const lines = typed.flatMap(word => [
      `pubctl --profile ${word} domains get `,
      `pubctl domains get ${word}`,
      `pubctl --output=${word}`,
    ])
    pressTab(shell, lines, { home, env, isWiped: true })
    expect(readdirSync(home)).not.toContain('owned')
  })
})

describe.skipIf(!isInstalled('bash'))('in a bash that has no compopt, as macOS has, Tab', () => {
  const before = 'enable -n compopt'
  const evil = [
    '$(touch owned).epub',
    '`touch owned`.epub',
    "'; touch owned; '.epub",
    '"; touch owned; ".epub',
    'x;touch owned.epub',
    '(touch owned).epub',
    '&touch owned&.epub',
    '!!.epub',
    '~.epub',
    '#a b*?[c].epub',
  ]

  it('quotes the names of files', () => {
    const { home } = machine()
    for (const name of evil) writeFileSync(join(home, name), '')
    const expected = {
      'pubctl publications upload ': [...evil].sort(),
      'pubctl publications upload --cover=x': ['--cover=x;touch owned.epub'],
    }
    expect(pressTab('bash', Object.keys(expected), { home, before })).toEqual(Object.values(expected))
    expect(readdirSync(home)).not.toContain('owned')
  })

  it('offers no name with control characters, which no quoting makes harmless within quotation marks', () => {
    const { home } = machine()
    writeFileSync(join(home, 'a\t$(touch owned).epub'), '')
    writeFileSync(join(home, 'a.epub'), '')
    for (const typed of ['a', '"a', "'a"])
      pressTab('bash', [`pubctl publications upload ${typed}`], { home, before, isWiped: typed !== 'a' })
    expect(pressTab('bash', ['pubctl publications upload a'], { home, before })).toEqual([['a.epub']])
    expect(readdirSync(home)).not.toContain('owned')
  })

  it('leaves a home by its tilde as it is', () => {
    const { home } = machine()
    writeFileSync(join(home, 'a b.epub'), '')
    expect(pressTab('bash', ['pubctl publications upload ~/a'], { home, before })).toEqual([
      [join(home, 'a b.epub')],
    ])
  })
})
