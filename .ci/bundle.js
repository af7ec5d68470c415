// Bundles the program, and its threads and processes, as CommonJS: Node loads that several milliseconds faster than ES
// modules, and its code can be kept once it is compiled.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'

export const root = join(import.meta.dirname, '..')
/** What is native stays a package. */
export const external = ['libsql', '@napi-rs/keyring', 'graphile-worker', 'pg']

/** What is bundled by itself: loaded before anything else, as a thread, as a process, or because of the libraries in it. */
const alone = {
  start: 'src/start.ts',
  'hash-worker': 'src/transfer/reading/hash-worker.ts',
  'reading-worker': 'src/transfer/reading/worker.ts',
  'pdf-process': 'src/books/pdf/process.ts',
  'pdf-worker': 'src/books/pdf/worker.ts',
  'keychain-worker': 'src/config/keychain-worker.ts',
  'mcp-protocol': 'src/mcp/protocol.ts',
}

/** What others import: 'pubctl' and 'pubctl/sandbox'. */
export const entries = { index: 'src/library/index.ts', sandbox: 'src/library/sandbox.ts' }

/**
 * What every command loads is one file, what every group of commands loads a second one, and what every request loads a
 * third: to open a file takes longer than to load a little more than is needed. Everything else is split by what uses it.
 */
const groups = [
  { name: 'main', tags: ['$initial'], priority: 3 },
  {
    name: 'contract',
    test: modules([
      'src/contract/(?!openapi|zod).*',
      'src/cli/(about|book-options|delete-each|for-each|listing|option-types|read-text|repeatable|shard-option|shard-systems)',
      'src/commands/wait',
      'src/(config/mask|journal/caller|plan/(book-fields|shard|wanted))',
      'src/client/(pages|poll|retry|retryable)',
    ]),
    priority: 2,
  },
  {
    name: 'upload-context',
    test: modules([
      'src/cli/(file-size|send-to-session)',
      'src/batch/(caller|journal|open-uploads|receipt-view)',
      'src/commands/uploads/session-file',
      'src/transfer/(find-caller|open|pace|reading/kept-covers)',
    ]),
    priority: 1,
  },
  { name: 'zod', test: modules(['node_modules/zod/(?!.*json-schema).*', 'src/contract/zod-parts']) },
  { name: 'request', test: modules(['src/client/(call|exchanges|http)', 'src/config/completion-cache']) },
]

/**
 * Gives a library the stand-in for something that it loads at its start, for which there is a file in stand-ins/:
 * `undici/http2.js` is what undici gets for `node:http2`.
 */
const standIns = {
  name: 'stand-ins',
  resolveId(source, importer = '') {
    const library = libraryOf(importer)?.name
    const path = join(import.meta.dirname, 'stand-ins', `${library}/${source.replace(/^node:/, '')}.js`)
    return library && existsSync(path) ? path : undefined
  },
}

/**
 * Keeps zod's configuration and registry to this build. It shares them by a global with every other zod of the process, and
 * to import a library must not change anything there.
 */
const ownZod = {
  name: 'own-zod',
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/](?:core|registries)\.js$/ },
    handler: code => `const ownGlobal = {};\n${code.replaceAll('globalThis', 'ownGlobal')}`,
  },
}

/** Leaves the protocol of agents out of the program, which would otherwise load with every request what its SDK uses of zod. */
const protocolApart = {
  name: 'protocol-apart',
  resolveId: source =>
    /[\\/]mcp[\\/]protocol\.ts$/.test(source) ? { id: './mcp-protocol.js', external: 'relative' } : undefined,
}

/** Every file of the build, as rolldown describes them: name, code, source map, and the modules that are in it. */
export async function bundle() {
  const program = await chunksOf({ main: 'src/main.ts' }, { codeSplitting: { groups } }, [protocolApart])
  const others = Object.entries(alone).map(([name, path]) => chunksOf({ [name]: path }, { codeSplitting: false }))
  // Apart from the program, which would otherwise load with every command what the library exports. Its classes keep their
  // names, and it has no maps, since only PUBCTL_DEBUG reads them.
  const library = await chunksOf(entries, { keepNames: true, sourcemap: false }, [ownZod])
  return [...program, ...library, ...(await Promise.all(others)).flat()]
}

/** The files of one program; `output` says how it is split. */
export async function chunksOf(input, output, plugins = []) {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external,
    plugins: [standIns, ...plugins],
    transform: { target: 'node20.19' },
    resolve: { symlinks: false },
    // Or main.js would be a second file, with the names of what it exports alone.
    preserveEntrySignatures: 'allow-extension',
  })
  const { output: files } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    dynamicImportInCjs: false,
    externalLiveBindings: false,
    esModule: false,
    minify: true,
    // V8 keeps a text of ASCII in half the memory, and reads it faster.
    charset: 'ascii',
    comments: false,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    ...output,
  })
  await bundle.close()
  return files.filter(({ type }) => type === 'chunk')
}

/** The packages of which something is in the files, in order, and where they lie. */
export function packagesOf(chunks) {
  const folders = chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(id => libraryOf(id)?.folder ?? []))
  return [...new Set(folders)].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, license, folder: relative(root, folder) }
  })
}

/** The same of the build that is in dist/, which build.js wrote there. */
export const builtPackages = () => JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')).packages

/** The package that a module is of, if it is of any. */
function libraryOf(id) {
  const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/')) ?? []
  return folder && { folder, name }
}

function modules(paths) {
  return new RegExp(`/(?:${paths.join('|')})\\.\\w+$`.replaceAll('/', '[\\\\/]'))
}
