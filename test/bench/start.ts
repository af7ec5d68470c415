import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contest } from './contest.ts'
import { type Machine, node, otherNodes, pubctl, withNode } from './machine.ts'
import { type Bench, judge, judgeTime, type Measured, missing } from './row.ts'

const nothing = [node, '-e', '0']
/** Where XDG says that caches lie, named by its variable, as many desktops and images do. */
const xdg = (machine: Machine) => ({ XDG_CACHE_HOME: `${machine.folder}/.cache` })
const reference = '`node -e 0`'

/** How long it takes until a command says something. */
export const start: Bench = {
  name: 'start',
  async run(machine) {
    const hasGh = machine.has('gh')
    const times = await contest(machine.turns(60), {
      node: () => machine.run(nothing),
      version: () => machine.run([...pubctl, '--version']),
      help: () => machine.run([...pubctl, '--help']),
      groupHelp: () => machine.run([...pubctl, 'publications', '--help']),
      xdgHelp: () => machine.run([...pubctl, '--help'], xdg(machine)),
      gh: async () => (hasGh ? await machine.run(['gh', '--version']) : 0),
    })
    const against = (what: string, time: number, most: number) =>
      judge(what, reference, { most }, time / times.node, {
        milliseconds: time,
        nodeMilliseconds: times.node,
      })
    return [
      against('`pubctl --version`', times.version, 1.25),
      hasGh
        ? judge('`pubctl --version`', '`gh --version`', { most: 1 }, times.version / times.gh, {
            milliseconds: times.version,
            ghMilliseconds: times.gh,
          })
        : missing('`pubctl --version`', '≤ 1 × `gh --version`', 'gh'),
      against('`pubctl --help`', times.help, 1.5),
      against('`pubctl publications --help`', times.groupHelp, 1.5),
      against('`XDG_CACHE_HOME=~/.cache pubctl --help`', times.xdgHelp, 1.5),
      ...(await request(machine)),
    ]
  },
}

async function request(machine: Machine): Promise<Measured[]> {
  const { baseUrl, keys } = await machine.serve<{ baseUrl: string; keys: { name: string; key: string }[] }>([
    ...pubctl,
    ...['sandbox', 'start', '--json', '--data-dir', `${machine.folder}/started`],
  ])
  const env = {
    PUBCTL_BASE_URL: baseUrl,
    PUBCTL_API_KEY: keys.find(({ name }) => name === 'full')?.key ?? '',
  }
  const list = [...pubctl, 'domains', 'list', '--json']
  const sandboxed = [...pubctl, '--profile', 'sandbox', 'domains', 'list', '--json']
  const data = (name: string) => ({ XDG_DATA_HOME: mkdtempSync(join(machine.folder, `${name}-`)) })
  const kept = data('kept')
  const configuration = mkdtempSync(join(machine.folder, 'configuration-'))
  const profile = { baseUrl, apiKey: env.PUBCTL_API_KEY }
  writeFileSync(
    join(configuration, 'config.json'),
    JSON.stringify({ current: 'work', profiles: { work: profile } }),
    { mode: 0o600 },
  )
  const times = await contest(machine.turns(60), {
    node: () => machine.run(nothing),
    list: () => machine.run(list, env),
    xdgList: () => machine.run(list, { ...env, ...xdg(machine) }),
    profileList: () => machine.run(list, { PUBCTL_CONFIG_DIR: configuration }),
    firstList: () => machine.run(list, { ...env, ...emptyCache(machine) }),
  })
  const elsewhere: Measured[] = []
  for (const other of otherNodes) elsewhere.push(...(await requestOn(machine, other, env)))
  // By themselves: to write a database would slow down what runs next.
  const sandboxes = await contest(machine.turns(60), {
    list: () => machine.run(list, env),
    sandboxList: () => machine.run(sandboxed, kept),
    newSandboxList: () => machine.run(sandboxed, data('new')),
  })
  const against = (what: string, time: number) =>
    judge(what, reference, { most: 2.5 }, time / times.node, {
      milliseconds: time,
      nodeMilliseconds: times.node,
    })
  /** What a command takes longer than at a service that runs. */
  const beyond = (what: string, time: number) =>
    judgeTime(what, 'more than at a service that runs', { most: 40 }, time - sandboxes.list, {
      commandMilliseconds: time,
      serviceMilliseconds: sandboxes.list,
    })
  return [
    against('`pubctl domains list --json`', times.list),
    against('`XDG_CACHE_HOME=~/.cache pubctl domains list --json`', times.xdgList),
    against('`pubctl domains list --json`, from a profile', times.profileList),
    against('`pubctl domains list --json`, the first time, with an empty cache', times.firstList),
    ...elsewhere,
    beyond(
      '`pubctl --profile sandbox domains list --json`, with a sandbox that is there',
      sandboxes.sandboxList,
    ),
    beyond('`pubctl --profile sandbox domains list --json`, with a new sandbox', sandboxes.newSandboxList),
  ]
}

/** A new cache, with a new record of what is in it: that would otherwise know what was in those of every turn before. */
function emptyCache(machine: Machine): Readonly<Record<string, string>> {
  const emptyFolder = () => mkdtempSync(join(machine.folder, 'empty-'))
  return { PUBCTL_CACHE_DIR: emptyFolder(), PUBCTL_CONFIG_DIR: emptyFolder() }
}

/** The same on another version of Node. */
async function requestOn(
  machine: Machine,
  other: string,
  env: Readonly<Record<string, string>>,
): Promise<Measured[]> {
  const what = `\`${other} pubctl domains list --json\``
  const first = `${what}, the first time, with an empty cache`
  const [goal, most] = [`\`${other} -e 0\``, 2.5]
  if (!machine.has(other)) return [what, first].map(each => missing(each, `≤ ${most} × ${goal}`, other))
  const list = withNode(other, [...pubctl, 'domains', 'list', '--json'])
  const times = await contest(machine.turns(40), {
    node: () => machine.run([other, '-e', '0']),
    list: () => machine.run(list, env),
    firstList: () => machine.run(list, { ...env, ...emptyCache(machine) }),
  })
  const against = (name: string, time: number) =>
    judge(name, goal, { most }, time / times.node, { milliseconds: time, nodeMilliseconds: times.node })
  return [against(what, times.list), against(first, times.firstList)]
}
