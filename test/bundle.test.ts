import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/pubctl.ts'
import { serve } from './support/server.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin/pubctl.js')

/** What a run of the program has loaded: files of its own, libraries in them, and modules of Node. */
interface Loaded {
  /** By their names without the hash, sorted. */
  files: string[]
  bytes: number
  libraries: string[]
  node: Set<string>
}

/** Words that stand in a library's code whatever else a build does to it. */
const signs: Readonly<Record<string, RegExp>> = {
  commander: /commander\.helpDisplayed/,
  zod: /ZodObject/,
  undici: /UND_ERR_CONNECT_TIMEOUT"[^}]*super/,
  conf: /Config schema violation/,
  ajv: /strictSchema/,
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
  libsql: /\("libsql"\)/,
  keyring: /\("@napi-rs\/keyring"\)/,
}

/** Runs the program, and has it tell at its end what was loaded. */
async function loadedBy(args: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
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
       fs.writeFileSync(${JSON.stringify(told)}, JSON.stringify({ files, node: process.moduleLoadList })))`,
  )
  const { exitCode } = await execa(process.execPath, ['--require', hook, bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    extendEnv: false,
    reject: false,
  })
  expect(exitCode).toBe(0)
  const { files, node } = JSON.parse(readFileSync(told, 'utf8')) as { files: string[]; node: string[] }
  const ours = [...new Set(files)].filter(path => path.startsWith(join(root, 'dist')))
  const text = ours.map(path => readFileSync(path, 'utf8')).join('\n')
  return {
    files: ours
      .map(path => path.slice(join(root, 'dist').length + 1).replace(/-[A-Z0-9]{8}\.js$/, '.js'))
      .sort(),
    bytes: ours.reduce((sum, path) => sum + statSync(path).size, 0),
    libraries: Object.keys(signs).filter(name => signs[name]?.test(text)),
    node: new Set(node.map(name => name.replace(/^NativeModule /, ''))),
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
    expect(Object.keys(signs).filter(name => !signs[name]?.test(whole))).toEqual(['ajv'])
  })

  it.each([['--version'], ['-V']])('says %s without loading anything', async flag => {
    const loaded = await loadedBy([flag])
    expect(loaded).toMatchObject({ files: [], libraries: [] })
    expect(heavyOf(loaded)).toEqual([])
  })

  it('loads the start alone, and commander, to show the help', async () => {
    const loaded = await loadedBy(['--help'])
    expect(loaded).toMatchObject({ files: ['main.js', 'start.js'], libraries: ['commander'] })
    expect(heavyOf(loaded)).toEqual([])
    expect(loaded.bytes).toBeLessThan(130_000)
  })

  it.each(['publications', 'uploads', 'domains', 'assets', 'api', 'sandbox', 'profile', 'inspect'])(
    'loads one more room to show the help of %s',
    async group => {
      const loaded = await loadedBy([group, '--help'])
      expect(loaded.libraries).toEqual(['commander'])
      expect(loaded.files).toContain(`${group}.js`)
      expect(heavyOf(loaded)).toEqual([])
      expect(loaded.bytes).toBeLessThan(170_000)
    },
  )

  it('loads nothing but commander and the leanest part of undici to make a request', async () => {
    const { url } = await serve((_, response) => response.end('{"items":[]}'))
    const env = { PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'a-key-of-some-length' }
    const loaded = await loadedBy(['domains', 'list', '--json'], env)
    expect(loaded.libraries).toEqual(['commander', 'undici'])
    expect(heavyOf(loaded, [])).toEqual([])
    expect(loaded.bytes).toBeLessThan(460_000)
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
})

describe('what V8 has compiled', () => {
  async function compiled() {
    const home = temporaryFolder()
    const run = async (env: Record<string, string> = {}, args = ['--help']) =>
      await execa(process.execPath, [bin, ...args], {
        env: { PATH: process.env['PATH'] ?? '', HOME: home, PUBCTL_CACHE_DIR: join(home, 'cache'), ...env },
        extendEnv: false,
        reject: false,
      })
    const files = () =>
      existsSync(join(home, 'cache'))
        ? readdirSync(join(home, 'cache'), { recursive: true, encoding: 'utf8' })
            .map(name => join(home, 'cache', name))
            .filter(path => statSync(path).isFile())
        : []
    return { home, run, files, usual: (await run({ NODE_DISABLE_COMPILE_CACHE: '1' })).stdout }
  }

  it('is kept for its owner alone, and used again', async () => {
    const { run, files, usual } = await compiled()
    expect(files()).toEqual([])
    expect((await run()).stdout).toBe(usual)
    const [kept = ''] = files()
    expect(statSync(kept).mode & 0o077).toBe(0)
    const { mtimeMs } = statSync(kept)
    expect((await run()).stdout).toBe(usual)
    expect(files()).toEqual([kept])
    expect(statSync(kept).mtimeMs).toBe(mtimeMs)
  })

  it('grows when a command loads what no other has, and not otherwise', async () => {
    const { run, files } = await compiled()
    await run()
    const [main = ''] = files()
    const first = statSync(main)
    await run({}, ['publications', '--help'])
    const grown = statSync(main)
    expect(grown.size).toBeGreaterThan(first.size)
    expect(files().length).toBeGreaterThan(1)
    await run()
    await run({}, ['publications', '--help'])
    expect(statSync(main).mtimeMs).toBe(grown.mtimeMs)
  })

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['emptied', () => Buffer.alloc(0)],
    ['changed in the middle', (bytes: Buffer) => bytes.fill(0x55, 30_000, 30_100)],
    ['of something else', () => Buffer.from('hello, hello!'.repeat(1000))],
  ])('is made anew where it was %s', async (_, damage) => {
    const { run, files, usual } = await compiled()
    await run()
    const [kept = ''] = files()
    const whole = readFileSync(kept)
    writeFileSync(kept, damage(Buffer.from(whole)))
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(readFileSync(kept).length).toBeGreaterThan(whole.length / 2)
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual })
  })

  it('is done without where it cannot be kept', async () => {
    const { home, run, usual } = await compiled()
    writeFileSync(join(home, 'cache'), 'a file where the folder would be')
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(await run({ PUBCTL_CACHE_DIR: '' })).toMatchObject({ exitCode: 0, stdout: usual })
  })

  it('is neither taken from nor put into a folder that others can write to', async () => {
    const { run, files, usual } = await compiled()
    await run()
    const [kept = ''] = files()
    writeFileSync(kept, 'left alone')
    chmodSync(dirname(kept), 0o777)
    expect(await run()).toMatchObject({ exitCode: 0, stdout: usual, stderr: '' })
    expect(readFileSync(kept, 'utf8')).toBe('left alone')
  })

  it('is made by two programs at once without harm', async () => {
    const { home, run, files, usual } = await compiled()
    mkdirSync(join(home, 'cache'))
    const results = await Promise.all([run(), run(), run()])
    expect(results.map(({ stdout }) => stdout)).toEqual([usual, usual, usual])
    expect(files().length).toBe(1)
  })
})
