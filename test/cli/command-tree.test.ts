import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandNode, OptionNode } from '../../src/cli/command-tree.ts'
import { contract } from '../../src/service/contract/index.ts'
import { exitCodes } from '../../src/system/errors.ts'
import { parse } from '../support/machine/parse.ts'
import { machine } from '../support/machine/pubctl.ts'
import { pipelineOf } from '../support/machine/shell-words.ts'
import { leaves, root } from '../support/machine/tree.ts'
import '../support/machine/plain-snapshots.ts'

const commands = leaves(root)
const groups = root.commands.filter(each => each.commands.length > 0)
const named = (list: readonly CommandNode[]) => list.map(each => [each.path, each] as const)
const flagsOf = (options: readonly OptionNode[]) =>
  options.flatMap(({ long, short }) => [long, short ?? []].flat())

describe('pubctl commands', () => {
  it('knows all commands of the surface', () => {
    const known = commands.map(({ path }) => path)
    expect(surface.filter(path => !known.includes(path))).toEqual([])
  })

  it('is picked from and asked like every JSON', async () => {
    const { run } = machine()
    const picked = JSON.parse((await run(['commands', '--fields', 'name,commands.path'])).out)
    expect(picked.name).toBe('pubctl')
    expect(Object.keys(picked.commands[0])).toEqual(['path'])
    expect((await run(['commands', '--query', 'commands[0].path'])).out).toBe('publications\n')
    expect((await run(['commands', '--fields', 'nmae'])).err).toContain('did you mean "name"')
  })

  it('tells arguments and options as they are declared', () => {
    const upload = commands.find(({ path }) => path === 'publications upload')
    expect(commands.find(({ path }) => path === 'inspect')?.arguments).toEqual([
      {
        ...{ name: 'file', isRequired: false, isVariadic: true, type: 'file', choices: null },
        description: expect.any(String),
      },
    ])
    const byLong = new Map(upload?.options.map(option => [option.long, option]))
    expect(byLong.get('--author')).toMatchObject({ type: 'string', isRepeatable: true, value: 'name' })
    expect(byLong.get('--cover')).toMatchObject({ type: 'file', default: 'auto', isRepeatable: false })
    expect(byLong.get('--metadata')).toMatchObject({ type: 'pair', isRepeatable: true })
    expect(byLong.get('--no-wait')).toMatchObject({ type: 'boolean', value: null, group: 'The upload' })
    const list = commands.find(({ path }) => path === 'publications list')
    expect(list?.options).toContainEqual(
      expect.objectContaining({ long: '--limit', type: 'integer', default: 50 }),
    )
    expect(list?.options).toContainEqual(
      expect.objectContaining({ long: '--status', choices: ['draft', 'live'], isRepeatable: true }),
    )
    const update = commands.find(({ path }) => path === 'publications update')
    expect(update?.options.find(({ long }) => long === '--internal')?.isNegatable).toBe(true)
    const activity = commands.find(({ path }) => path === 'analytics activity')
    expect(activity?.options.filter(({ isRequired }) => isRequired).map(({ long }) => long)).toEqual([
      '--from',
      '--to',
    ])
    expect(root.options).toContainEqual(
      expect.objectContaining({ long: '--output', short: '-o', choices: ['table', 'json', 'ndjson', 'csv'] }),
    )
  })

  it('tells what each command does, how it can end, and the values that its options have by themselves', () => {
    // Who calls commands by the tree relies on this.
    const lines = commands.map(({ path, does, changes, waits, exitCodes: codes, options }) => {
      const kinds = [does, ...(changes ? ['at the service'] : []), ...(waits ? ['waits'] : [])]
      const defaults = options
        .filter(each => each.default !== null)
        .map(each => `${each.long}=${JSON.stringify(each.default)}`)
      return [path, ...kinds, codes.join(), ...defaults].join(' ')
    })
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      publications list reads 0,1,2,3,4,5,6,8,129,130,143 --limit=50
      publications stats reads 0,1,2,3,4,5,6,8,129,130,143
      publications get reads 0,1,2,3,4,5,6,8,129,130,143
      publications upload adds at the service waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143 --cover="auto" --concurrency=4
      publications create adds at the service 0,1,2,3,4,5,6,8,129,130,143 --cover="none"
      publications update changes at the service 0,1,2,3,4,5,6,8,129,130,143
      publications delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      publications wait reads waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143
      editions list reads 0,1,2,3,4,5,6,8,129,130,143
      editions get reads 0,1,2,3,4,5,6,8,129,130,143
      editions upload adds at the service waits 0,1,2,3,4,5,6,8,11,12,13,129,130,143 --cover="auto"
      editions create adds at the service 0,1,2,3,4,5,6,8,129,130,143 --cover="none"
      editions wait reads waits 0,1,2,3,4,5,6,8,11,12,13,129,130,143
      uploads create adds at the service 0,1,2,3,4,5,6,8,129,130,143
      uploads put adds at the service 0,1,2,3,4,5,6,8,129,130,143 --cover="none"
      uploads list reads 0,1,2,129,130,143
      uploads resume adds at the service waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143 --concurrency=4
      uploads forget deletes 0,1,2,10,129,130,143
      metadata-keys list reads 0,1,2,3,4,5,6,8,129,130,143
      metadata-keys create adds at the service 0,1,2,3,4,5,6,8,129,130,143
      metadata-keys archive changes at the service 0,1,2,3,4,5,6,8,10,129,130,143
      metadata-keys restore changes at the service 0,1,2,3,4,5,6,8,10,129,130,143
      metadata-keys delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      catalogue plan reads 0,1,2,3,4,5,6,8,10,14,129,130,143 --match="isbn" --refresh="28d"
      catalogue apply changes at the service waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143 --concurrency=4
      catalogue revert changes at the service 0,1,2,3,4,5,6,8,10,129,130,143 --concurrency=4
      catalogue accept changes 0,1,2,129,130,143 --accepted="accepted.ndjson"
      catalogue drift reads 0,1,2,3,4,5,6,8,10,14,129,130,143 --match="isbn" --refresh="0s"
      catalogue export reads 0,1,2,3,4,5,6,8,10,129,130,143
      catalogue index reads 0,1,2,3,4,5,6,8,10,129,130,143
      receipts merge adds 0,1,2,9,10,129,130,143
      watch changes at the service waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143 --quiet-period="10s" --scan="5s" --name="\\"{isbn}*.epub|pdf|lpf\\"" --match="isbn" --if-changed="fail" --concurrency=4
      queue load adds 0,1,2,8,129,130,143
      queue status reads 0,1,2,8,10,129,130,143 --failures=20
      queue retry changes 0,1,2,8,129,130,143
      queue limit changes 0,1,2,8,129,130,143
      worker changes at the service waits 0,1,2,3,4,5,6,8,10,11,12,13,129,130,143 --concurrency=4
      inspect reads 0,1,2,8,129,130,143
      pack audiobook adds 0,1,2,129,130,143
      assets list reads 0,1,2,3,4,5,6,8,129,130,143
      assets upload adds at the service 0,1,2,3,4,5,6,8,10,129,130,143 --type="font"
      assets rename changes at the service 0,1,2,3,4,5,6,8,129,130,143
      assets delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      domains list reads 0,1,2,3,4,5,6,8,129,130,143
      domains get reads 0,1,2,3,4,5,6,8,129,130,143
      domains create adds at the service 0,1,2,3,4,5,6,8,129,130,143
      domains update changes at the service 0,1,2,3,4,5,6,8,129,130,143
      domains delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      reader-instances list reads 0,1,2,3,4,5,6,8,129,130,143 --limit=50
      reader-instances get reads 0,1,2,3,4,5,6,8,129,130,143
      reader-instances copy adds at the service 0,1,2,3,4,5,6,8,129,130,143
      reader-instances delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      reader-users list reads 0,1,2,3,4,5,6,8,129,130,143
      reader-users get reads 0,1,2,3,4,5,6,8,129,130,143
      analytics scope reads 0,1,2,3,4,5,6,8,129,130,143
      analytics popular reads 0,1,2,3,4,5,6,8,10,129,130,143
      analytics publication reads 0,1,2,3,4,5,6,8,129,130,143
      analytics activity reads 0,1,2,3,4,5,6,8,129,130,143
      analytics report adds 0,1,2,3,4,5,6,8,10,129,130,143 --top=20
      users list reads 0,1,2,3,4,5,6,8,129,130,143
      users delete-me deletes at the service 0,1,2,3,4,5,6,8,9,129,130,143
      apikeys list reads 0,1,2,3,4,5,6,8,129,130,143
      apikeys get reads 0,1,2,3,4,5,6,8,129,130,143
      apikeys update changes at the service 0,1,2,3,4,5,6,8,129,130,143
      apikeys delete deletes at the service 0,1,2,3,4,5,6,8,9,10,129,130,143
      whoami reads 0,1,2,3,4,5,6,8,129,130,143
      doctor reads 0,1,2,3,4,5,6,8,129,130,143
      api deletes at the service 0,1,2,3,4,5,6,8,129,130,143
      mcp deletes 0,1,2,129,130,143
      profile setup changes 0,1,2,3,4,5,6,8,9,129,130,143
      profile list reads 0,1,2,129,130,143
      profile show reads 0,1,2,129,130,143
      profile use changes 0,1,2,129,130,143
      profile remove deletes 0,1,2,9,129,130,143
      sandbox start changes 0,1,2,129,130,143
      sandbox status reads 0,1,2,129,130,143
      sandbox reset deletes at the service 0,1,2,9,129,130,143
      sandbox book adds at the service 0,1,2,129,130,143
      sandbox openapi reads 0,1,2,129,130,143
      help reads 0,1,2,129,130,143
      commands reads 0,1,2,129,130,143
      completions reads 0,1,2,129,130,143
    `)
  })

  it('tells which commands and options agents are not offered, and why', () => {
    const lines = commands.flatMap(({ path, notForAgents, options }) => {
      const kept = options.filter(({ isForAgents }) => !isForAgents).map(({ long }) => long)
      if (notForAgents !== null) return `${path}: ${notForAgents}`
      return kept.length > 0 ? `${path}: ${kept.join(' ')}` : []
    })
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      publications upload: --rules --epubcheck --summary
      publications create: it prints addresses that anybody can upload to; publications upload and editions upload do without
      editions upload: --rules --epubcheck
      editions create: it prints addresses that anybody can upload to; publications upload and editions upload do without
      uploads create: it prints addresses that anybody can upload to; publications upload and editions upload do without
      uploads put: its session says to which address a file is sent
      catalogue plan: --rules --epubcheck --summary
      catalogue apply: --epubcheck --summary
      catalogue revert: --summary
      catalogue drift: the steps of catalogue plan say the same
      catalogue export: --onix --from --only-missing --receiver --sender --encoding --column --files --name
      watch: it runs until it is stopped
      queue load: a worker sends files from its own folder, not from that of agents
      queue status: --database --follow
      queue retry: --database
      queue limit: --database
      worker: it runs until it is stopped
      inspect: --tdm-site --write-baseline --only-problems --rules
      pack audiobook: it reads and writes gigabytes
      analytics scope: --chart --no-chart
      analytics popular: --chart --no-chart
      analytics publication: --chart --no-chart
      analytics activity: --chart --no-chart
      users delete-me: it takes access away from a person or a program
      apikeys update: it takes access away from a person or a program
      apikeys delete: it takes access away from a person or a program
      doctor: --session
      api: what it does depends on the request
      mcp: it is what serves them
      profile setup: whoever starts the server chooses the profile
      profile list: whoever starts the server chooses the profile
      profile show: whoever starts the server chooses the profile
      profile use: whoever starts the server chooses the profile
      profile remove: whoever starts the server chooses the profile
      sandbox start: it runs until it is stopped
      sandbox status: it prints keys
      sandbox reset: the sandbox is for people to try things out
      sandbox book: the sandbox is for people to try things out
      help: agents are told of the tools there are
      commands: agents are told of the tools there are
      completions: agents have no shell that it could complete in
    `)
  })

  it('tells which commands change something, wait, or may need an answer', () => {
    const pathsOf = (isOne: (command: CommandNode) => boolean) =>
      commands.filter(isOne).map(({ path }) => path)
    expect(pathsOf(({ waits }) => waits)).toEqual(
      expect.arrayContaining([
        'publications upload',
        'publications wait',
        'editions upload',
        'editions wait',
      ]),
    )
    const writing = /^\S+ (create|update|delete|delete-me|upload|rename|archive|restore|copy|put)$/
    for (const { path, changes } of commands)
      if (writing.test(path)) expect([path, changes]).toEqual([path, true])
    for (const { path, changes } of commands)
      if (/^\S+ (list|get|wait|show|status)$/.test(path)) expect([path, changes]).toEqual([path, false])
    for (const { path, exitCodes: codes } of commands)
      if (/ (delete|delete-me|remove|reset)$/.test(path)) expect(codes).toContain(exitCodes.nobodyToAsk)
  })

  it('gives each exit code a meaning, and each command codes among them', () => {
    expect(root.exitCodes.map(({ code }) => code)).toEqual(Object.values(exitCodes))
    const known = new Set(root.exitCodes.map(({ code }) => code))
    for (const command of commands) {
      expect(command.exitCodes.filter(code => !known.has(code))).toEqual([])
      expect(command.exitCodes).toEqual([...new Set(command.exitCodes)].sort((one, other) => one - other))
    }
  })

  it('gives the codes of a service to the commands that ask it, and to no others', () => {
    const asking = commands.filter(({ exitCodes: codes }) => codes.includes(exitCodes.forbidden))
    const paths = asking.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['whoami', 'domains list', 'catalogue plan', 'doctor']))
    expect(paths.filter(path => /^(?:sandbox|inspect|completions|help)\b/.test(path))).toEqual([])
    for (const { exitCodes: codes } of asking)
      expect(codes).toEqual(expect.arrayContaining([exitCodes.notAuthenticated, exitCodes.network]))
  })
})

describe.each(named([...groups, ...commands]))('%s', (_, command) => {
  it('says in one line what it does', () => {
    expect(command.summary).toMatch(/^[A-Z][^\n]{5,90}[^.]$/)
  })

  it('has options in groups, each described, none twice and none of those that every command has', () => {
    for (const { group, description, flags } of command.options) {
      expect(group, flags).not.toBe('')
      expect(description, flags).toMatch(/^\S.*[^.]$/)
    }
    const flags = flagsOf(command.options)
    expect(new Set(flags).size).toBe(flags.length)
    expect(flags.filter(flag => flagsOf(root.options).includes(flag))).toEqual([])
  })

  it('shows examples of itself that its own parser takes', async () => {
    expect(command.examples.length).toBeGreaterThan(0)
    for (const example of command.examples) {
      const ran: string[] = []
      for (const [program, ...words] of pipelineOf(example)) {
        expect(program).toBe('pubctl')
        ran.push(await parse(words))
      }
      expect(
        ran.some(path => path === command.path || path.startsWith(`${command.path} `)),
        example,
      ).toBe(true)
    }
  })
})

describe('the options of every command', () => {
  it('stand in groups, each described, none twice', () => {
    for (const { group, description } of root.options) expect(group && description).not.toBe('')
    const flags = flagsOf(root.options)
    expect(new Set(flags).size).toBe(flags.length)
  })

  it('are shown with examples that parse', async () => {
    expect(root.examples.length).toBeGreaterThan(0)
    for (const example of root.examples) await parse(pipelineOf(example)[0]?.slice(1) ?? [])
  })
})

describe('every endpoint', () => {
  const folder = join(import.meta.dirname, '../../src')
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /^(?:commands|uploads)[\\/].*\.ts$/.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const endpoints = Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.keys(endpoints).map(
      name => `${group.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}.${name}`,
    ),
  )

  it('is among the 38 of the document', () => {
    expect(endpoints).toHaveLength(38)
  })

  it.each(endpoints)('%s is used by a command', endpoint => {
    expect(source).toMatch(new RegExp(`\\b${endpoint.replace('.', '\\.')}\\b(?!\\.summary)`))
  })
})

/** Each verb that the project promised from the start. */
const surface = [
  ...'list stats get create upload update delete wait'.split(' ').map(verb => `publications ${verb}`),
  ...'list get create upload wait'.split(' ').map(verb => `editions ${verb}`),
  ...'create put list resume forget'.split(' ').map(verb => `uploads ${verb}`),
  ...'list upload rename delete'.split(' ').map(verb => `assets ${verb}`),
  ...'list create archive restore delete'.split(' ').map(verb => `metadata-keys ${verb}`),
  ...'list get create update delete'.split(' ').map(verb => `domains ${verb}`),
  ...'list get copy delete'.split(' ').map(verb => `reader-instances ${verb}`),
  ...'list get'.split(' ').map(verb => `reader-users ${verb}`),
  ...'list delete-me'.split(' ').map(verb => `users ${verb}`),
  ...'scope popular publication activity'.split(' ').map(verb => `analytics ${verb}`),
  ...'list get update delete'.split(' ').map(verb => `apikeys ${verb}`),
  ...'setup list show use remove'.split(' ').map(verb => `profile ${verb}`),
  ...'start reset status openapi'.split(' ').map(verb => `sandbox ${verb}`),
  ...'api inspect whoami doctor completions commands'.split(' '),
]
