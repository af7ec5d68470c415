// Bundles the program, and its threads and processes, as CommonJS: Node loads that several milliseconds faster than ES
// modules, and its code can be kept once it is compiled.
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import compileApart from 'ajv/dist/standalone/index.js'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { filesOf, groups } from './bundle-groups.js'

export const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What npm installs beside pubctl, or the user does, is not bundled. Everything else is, and so is for development only. */
export const external = Object.keys({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
})

/** What is bundled by itself: loaded before anything else, as a thread, as a process, or because of the libraries in it. */
const alone = {
  start: 'src/start/start.ts',
  'hash-worker': 'src/uploads/reading/hash-worker.ts',
  // Loads the next one, with compiled code.
  'reading-worker': 'src/start/reading-worker.ts',
  'reading-thread': 'src/uploads/reading/worker.ts',
  'pdf-process': 'src/books/pdf/process.ts',
  'pdf-worker': 'src/books/pdf/worker.ts',
  'epubcheck-process': 'src/books/epubcheck/process.ts',
  'epubcheck-worker': 'src/books/epubcheck/worker.ts',
  'keychain-worker': 'src/config/keychain-worker.ts',
  'yaml-worker': 'src/uploads/inputs/sheet/yaml-worker.ts',
  'mcp-protocol': 'src/agents/protocol.ts',
  'llhttp-wasm': 'node_modules/undici/lib/llhttp/llhttp-wasm.js',
}

/** What others import: 'pubctl' and 'pubctl/sandbox'. */
export const entries = { index: 'src/library/index.ts', sandbox: 'src/library/sandbox.ts' }

/** What exists once in a process, whether the library was imported or required: the classes of its errors among others. */
const shared = { 'library-shared': 'src/library/shared.ts' }

/**
 * Gives a library the stand-in for something that it loads and does not need here, for which there is a file in stand-ins/:
 * `commander/child_process.js` is what commander gets for `node:child_process`, and `undici/client-h2.js` for `./client-h2.js`.
 * What pubctl itself gets is in `pubctl/`.
 */
/** @satisfies {import('rolldown').Plugin} */
const standIns = {
  name: 'stand-ins',
  resolveId: {
    filter: { id: endingIn(filesOf('.ci/stand-ins').map(path => basename(path, '.js'))) },
    handler(/** @type {string} */ source, importer = '') {
      const library = libraryOf(importer)?.name ?? (importer.startsWith(join(root, 'src')) ? 'pubctl' : '')
      const name = source.replace(/^(?:node:|(?:\.\.?\/)+)/, '').replace(/\.js$/, '')
      const path = join(import.meta.dirname, 'stand-ins', `${library}/${name}.js`)
      return library && existsSync(path) ? path : undefined
    },
  },
}

/** Compiles a schema for conf: a module with `?compiled` after its name has the function that conf would have ajv make of it. */
const compiledSchemas = {
  name: 'compiled-schemas',
  resolveId: {
    filter: { id: /\?compiled$/ },
    handler: (/** @type {string} */ source, importer = '') => join(dirname(importer), source),
  },
  load: {
    filter: { id: /\?compiled$/ },
    async handler(/** @type {string} */ id) {
      const input = { schema: id.slice(0, -'?compiled'.length) }
      const [module] = await chunksOf(input, { format: 'esm', sourcemap: false })
      const { configSchema } = await import(`data:text/javascript,${encodeURIComponent(module?.code ?? '')}`)
      // As conf itself calls ajv.
      const ajv = new Ajv2020({ allErrors: true, useDefaults: true, code: { source: true, esm: true } })
      return compileApart.default(ajv, ajv.compile({ type: 'object', properties: configSchema }))
    },
  },
}

/** Leaves the protocol of agents out of the program, which would otherwise load with every request what its SDK uses of zod. */
const protocolApart = {
  name: 'protocol-apart',
  resolveId: {
    filter: { id: /[\\/]agents[\\/]protocol\.ts$/ },
    handler: () => ({ id: './mcp-protocol.js', external: /** @type {const} */ ('relative') }),
  },
}

/**
 * Leaves out of the program the parser for processors without SIMD, which every request would otherwise read with the one that it
 * uses: a request takes 0.5 ms less.
 */
const slowParserApart = {
  name: 'slow-parser-apart',
  resolveId: {
    filter: { id: /[\\/]llhttp-wasm\.js$/ },
    handler: () => ({ id: './llhttp-wasm.js', external: /** @type {const} */ ('relative') }),
  },
}

const existingOnce = new Set([
  'src/system/errors.ts',
  'src/library/connections.ts',
  'src/library/upload-failure.ts',
])

/** Has both builds of the library load what exists once from the one file of it. */
const sharedApart = {
  name: 'shared-apart',
  resolveId: {
    filter: { id: endingIn([...existingOnce].map(path => basename(path))) },
    handler: (/** @type {string} */ source, importer = '') =>
      existingOnce.has(relative(root, join(dirname(importer), source)).replaceAll('\\', '/'))
        ? { id: './library-shared.js', external: /** @type {const} */ ('relative') }
        : undefined,
  },
}

/**
 * Makes an import of what a library requires of Node: a bundle of ES modules has no `require`, and one of CommonJS has no
 * `import.meta.url` to make it from.
 */
const requireAsImport = esmExternalRequirePlugin({
  external: builtinModules.flatMap(name => [name, `node:${name}`]),
})

/** The library as ES modules, of which a bundler takes only what a program uses. */
/** @satisfies {import('rolldown').OutputOptions} */
const modulesOfLibrary = {
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  sourcemap: false,
}

/** Every file of the build, as rolldown describes them: name, code, source map, and the modules that are in it. */
export async function bundle() {
  const program = await chunksOf({ main: 'src/main.ts' }, { codeSplitting: { groups } }, [
    protocolApart,
    slowParserApart,
  ])
  const others = Object.entries(alone).map(([name, path]) =>
    chunksOf({ [name]: path }, { codeSplitting: false }),
  )
  // Apart from the program, which would otherwise load with every command what the library exports. It has no maps, since
  // only PUBCTL_DEBUG reads them.
  const once = await chunksOf(shared, { keepNames: true, sourcemap: false })
  // Strict, as what an entry and another chunk use would otherwise be in the entry, where others could see it, and every
  // program that is bundled would have all of it.
  const strict = { preserveEntrySignatures: /** @type {const} */ ('strict') }
  const library = await chunksOf(entries, { sourcemap: false }, [sharedApart], strict)
  const plugins = [sharedApart, requireAsImport]
  const esm = await chunksOf(entries, modulesOfLibrary, plugins, {
    treeshake: { moduleSideEffects: false },
    ...strict,
  })
  return [...program, ...once, ...library, ...esm, ...(await Promise.all(others)).flat()]
}

/** The files of one program; `output` says how it is split, and `options` are more of rolldown's own. */
export async function chunksOf(
  /** @type {Record<string, string>} */ input,
  /** @type {import('rolldown').OutputOptions} */ output,
  /** @type {import('rolldown').RolldownPluginOption[]} */ plugins = [],
  /** @type {import('rolldown').InputOptions} */ options = {},
) {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external,
    plugins: [standIns, compiledSchemas, ...plugins],
    transform: { target: 'node20.19' },
    resolve: { symlinks: false },
    // Or main.js would be a second file, with the names of what it exports alone.
    preserveEntrySignatures: 'allow-extension',
    ...options,
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
  return files.flatMap(file => (file.type === 'chunk' ? [file] : []))
}

/** The packages of which something is in the files, in order, and where they lie. */
export function packagesOf(/** @type {readonly import('rolldown').OutputChunk[]} */ chunks) {
  const folders = chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(id => libraryOf(id)?.folder ?? []))
  return [...new Set(folders)].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name, version, license, folder: relative(root, folder) }
  })
}

/** The same of the build that is in dist/, which build.js wrote there. */
/** @type {() => { name: string, version: string, license: string, folder: string }[]} */
export const builtPackages = () => JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')).packages

/** The package that a module is of, if it is of any. */
function libraryOf(/** @type {string} */ id) {
  const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/')) ?? []
  return folder === undefined ? undefined : { folder, name }
}

/** Matches imports by what they end in, so that rolldown does not ask a plugin about all of them: that takes it a fifth longer. */
function endingIn(/** @type {readonly string[]} */ names) {
  return new RegExp(`(?:^|[/:])(?:${names.map(name => name.replaceAll('.', '\\.')).join('|')})(?:\\.js)?$`)
}
