import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { withCompiledCode } from '../support/machine/compiled-code.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { serve } from '../support/servers/server.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'bin/pubctl.js')

/** What a run of the program has loaded: files of its own, libraries in them, and modules of Node. */
interface Loaded {
  /** By their names without the hash, sorted. */
  files: string[]
  bytes: number
  libraries: string[]
  node: Set<string>
  /** How many handle Ctrl-C. */
  handlers: number
}

/** Words that stand in a library's code whatever else a build does to it. */
const signs: Readonly<Record<string, RegExp>> = {
  commander: /commander\.helpDisplayed/,
  zod: /ZodObject/,
  undici: /UND_ERR_CONNECT_TIMEOUT`[^}]*super/,
  conf: /Config schema violation/,
  inquirer: /CancelPromptError/,
  ora: /isSpinning/,
  execa: /isMaxBuffer/,
  'cli-table3': /top-mid/,
  'string-width': /RGI_Emoji/,
  jmespath: /FilterProjection/,
  csv: /escape_formulas/,
  yaml: /tag:yaml\.org/,
  saxes: /xmldecl/,
  yauzl: /End of central directory/,
  mcp: /notifications\/cancelled/,
  libsql: /\(`libsql`\)/,
  keyring: /\(`@napi-rs\/keyring`\)/,
}

/** Runs the program, and has it tell at its end what was loaded. */
async function loadedBy(
  args: readonly string[],
  env: Record<string, string> = {},
  expected = 0,
): Promise<Loaded> {
  const folder = temporaryFolder()
  const told = join(folder, 'told.json')
  const hook = join(folder, 'hook.cjs')
  writeFileSync(
    hook,
    `const fs = require('fs')
     const files = []
     const { readFileSync } = fs
     fs.readFileSync = (path, ...more) => {
       if (/\\.js$/.test(String(path))) files.push(String(path))
       return readFileSync(path, ...more)
     }
     process.on('exit', () =>
       fs.writeFileSync(${JSON.stringify(told)}, JSON.stringify({
         files, node: process.moduleLoadList, handlers: process.listenerCount('SIGINT')
       })))`,
  )
  const { exitCode } = await execa(process.execPath, ['--require', hook, bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: withCompiledCode(folder), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })
  expect(exitCode).toBe(expected)
  const { files, node, handlers } = JSON.parse(readFileSync(told, 'utf8')) as {
    files: string[]
    node: string[]
    handlers: number
  }
  const ours = [...new Set(files)].filter(path => path.startsWith(join(root, 'dist')))
  const text = ours.map(path => readFileSync(path, 'utf8')).join('\n')
  return {
    files: ours
      .map(path => path.slice(join(root, 'dist').length + 1).replace(/-[\w-]{8}\.js$/, '.js'))
      .sort(),
    bytes: ours.reduce((sum, path) => sum + statSync(path).size, 0),
    libraries: Object.keys(signs).filter(name => signs[name]?.test(text)),
    node: new Set(node.map(name => name.replace(/^NativeModule /, ''))),
    handlers,
  }
}

const heavy = [
  ...['http', 'https', 'http2', 'tls', 'crypto', 'child_process', 'worker_threads', 'zlib', 'assert'],
  ...['fs/promises', 'module'],
]
/** What only those need that send something. */
const wires = ['stream', 'net', 'tty']
const heavyOf = ({ node }: Loaded, more: readonly string[] = wires): string[] =>
  [...heavy, ...more].filter(name => node.has(name))

describe('the bundle', () => {
  it('tells signs of every library apart', () => {
    const whole = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.js'))
      .map(name => readFileSync(join(root, 'dist', name), 'utf8'))
      .join('\n')
    expect(Object.keys(signs).filter(name => !signs[name]?.test(whole))).toEqual([])
    expect(/^[\0-\x7f]*$/.test(whole), 'start.ts reads it as ASCII').toBe(true)
    expect(whole, 'ajv, which checks nothing but what the build has compiled').not.toContain('strictSchema')
  })

  it.each([['--version'], ['-V']])('says %s without loading anything', async flag => {
    const loaded = await loadedBy([flag])
    expect(loaded).toMatchObject({ files: [], libraries: [] })
    expect(heavyOf(loaded)).toEqual([])
  })

  it('loads the start alone, and commander, to show the help', async () => {
    const loaded = await loadedBy(['--help'])
    expect(loaded).toMatchObject({
      files: ['main.js', 'rolldown-runtime.js', 'start.js'],
      libraries: ['commander'],
    })
    expect(heavyOf(loaded)).toEqual([])
    expect(loaded.bytes).toBeLessThan(130_000)
  })

  it.each(share(['publications', 'uploads', 'domains', 'assets', 'api', 'sandbox', 'profile', 'inspect'], 4))(
    'loads little more to show the help of %s',
    async group => {
      const loaded = await loadedBy([group, '--help'])
      const { libraries, bytes } = await loadedBy(['help', group])
      expect(libraries).toEqual(['commander'])
      expect(bytes).toBeLessThan(172_500)
      expect(loaded.libraries).toEqual(['commander'])
      expect(loaded.files).toContain(`${group}.js`)
      expect(heavyOf(loaded)).toEqual([])
      expect(loaded.bytes).toBeLessThan(161_000)
    },
  )

  it('loads nothing but commander and the leanest part of undici to make a request', async () => {
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const loaded = await loadedBy(['domains', 'list', '--json'], env)
    expect(loaded.libraries).toEqual(['commander', 'undici'])
    expect(heavyOf(loaded, [])).toEqual([])
    expect(
      ['dns', ...(process.version.startsWith('v20.') ? [] : ['v8'])].filter(name => loaded.node.has(name)),
    ).toEqual([])
    expect(loaded.bytes).toBeLessThan(356_000)
  })

  it('loads zod to say what is wrong with an input', async () => {
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const { libraries } = await loadedBy(['domains', 'create', ''], env, 2)
    expect(libraries).toContain('zod')
  })

  it('loads the parser for processors without SIMD where it is asked for', async () => {
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length', UNDICI_NO_WASM_SIMD: '1' }
    expect((await loadedBy(['domains', 'list', '--json'], env)).files).toContain('llhttp-wasm.js')
  })

  it('loads conf as well for a request from a profile, and of Node no more than without', async () => {
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const folder = temporaryFolder()
    const env = { PUBCTL_CONFIG_DIR: folder }
    const profile = { baseUrl: url, apiKey: 'a-key-of-some-length' }
    const content = JSON.stringify({ current: 'work', profiles: { work: profile } })
    writeFileSync(join(folder, 'config.json'), content, { mode: 0o600 })
    const loaded = await loadedBy(['domains', 'list', '--json'], env)
    expect(loaded.libraries).toEqual(['commander', 'undici', 'conf'])
    expect(heavyOf(loaded, [])).toEqual([])
    expect(loaded.bytes).toBeLessThan(377_500)
    expect(loaded.handlers, 'one Ctrl-C would count as two').toBe(1)
    const listed = await loadedBy(['profile', 'list', '--json'], env)
    expect(listed.libraries).toEqual(['commander', 'conf'])
    expect(heavyOf(listed)).toEqual([])
  })

  it('loads no other library to send a file, but for what its progress may need', async () => {
    const { url } = await serve((_, response) => response.end())
    const folder = temporaryFolder()
    const [file, session] = [join(folder, 'file'), join(folder, 'session.json')]
    writeFileSync(file, 'content')
    writeFileSync(session, JSON.stringify({ uploadUrl: `${url}/file` }))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const loaded = await loadedBy(['uploads', 'put', file, '--session', session], env)
    expect(loaded.libraries).toEqual(['commander', 'undici', 'string-width'])
    expect(heavyOf(loaded, [])).toEqual([])
  })

  it('loads what speaks to agents for that alone', async () => {
    expect((await loadedBy(['mcp', '--help'])).libraries).toEqual(['commander'])
    // With nothing on its standard input, it ends.
    const { libraries } = await loadedBy(['mcp'])
    expect(libraries).toContain('mcp')
  })

  it('tells with PUBCTL_DEBUG which line of the source a fault comes from', async () => {
    const hook = join(temporaryFolder(), 'hook.cjs')
    writeFileSync(hook, "URLSearchParams.prototype.append = () => { throw new Error('planted') }")
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const list = async (env: Record<string, string>) =>
      await execa(process.execPath, ['--require', hook, bin, 'publications', 'list'], {
        env: {
          HOME: temporaryFolder(),
          PUBCTL_BASE_URL: url,
          PUBCTL_API_KEY: 'a-key-of-some-length',
          ...env,
        },
        extendEnv: false,
        reject: false,
      })
    const { exitCode, stderr } = await list({ PUBCTL_DEBUG: '1' })
    const [, line = ''] = /src[\\/]service[\\/]client[\\/]call\.ts:(\d+)/.exec(stderr) ?? []
    const source = readFileSync(join(root, 'src/service/client/call.ts'), 'utf8').split('\n')
    expect({ exitCode, line: source[Number(line) - 1] }).toEqual({
      exitCode: 1,
      line: expect.stringContaining('query.append('),
    })
    expect((await list({})).stderr).not.toContain('call.ts')
  })

  it('has no stand-in but those that these tests hold', () => {
    const folder = join(root, '.ci/stand-ins')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.js'),
    )
    const ofAgents = ['ajv-formats.js', 'ajv.js'].map(name => join('@modelcontextprotocol/sdk', name))
    expect(files.sort()).toEqual([
      ...ofAgents,
      ...['stream.js', 'when-exit.js'].map(name => join('atomically', name)),
      join('cli-table3', '@colors', 'colors', 'safe.js'),
      join('cli-table3', 'string-width.js'),
      join('commander', 'child_process.js'),
      join('conf', 'ajv-formats.js'),
      join('conf', 'ajv', 'dist', '2020.js'),
      ...['assert', 'crypto', 'debounce-fn', 'env-paths', 'semver'].map(name => join('conf', `${name}.js`)),
      join('pubctl', 'string-width.js'),
      ...['assert', 'client-h2', 'http'].map(name => join('undici', `${name}.js`)),
      join('undici', 'web', 'fetch', 'body.js'),
    ])
  })
})
