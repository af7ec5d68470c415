// Bundles the program, and its threads and processes, as CommonJS: Node loads that several milliseconds faster than ES
// modules, and its code can be kept once it is compiled.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import compileApart from 'ajv/dist/standalone/index.js'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'

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

/**
 * What every command loads is one file, what every group of commands loads a second one, and what every request loads a
 * third; what reads books is one file, too, and what uploads them a few: to open a file takes longer than to load a little more
 * than is needed. Everything else is split by what uses it. That saves the help of a group 6 ms of 37, a request 4 of 63, to
 * inspect a book 10 of 57, and an upload of a few books 7 of 190, where Node itself starts in 20. These are lists of files, since
 * such a command needs a part only of most folders. What a file of a list imports is in its group as well, if no other one has it.
 */
const groups = [
  { name: 'main', tags: /** @type {['$initial']} */ (['$initial']), priority: 3 },
  {
    name: 'options',
    test: isAmong([
      'src/cli/about.ts',
      'src/cli/for-each.ts',
      'src/cli/option-types.ts',
      'src/cli/output/checked-by-column.ts',
      'src/cli/repeatable.ts',
      'src/plan/book-fields.ts',
      'src/plan/wanted.ts',
      'src/uploads/options/book-options.ts',
      'src/uploads/options/sheet-options.ts',
    ]),
    priority: 3,
  },
  {
    name: 'contract',
    test: isAmong(
      [
        'src/service/contract',
        'src/cli/delete-each.ts',
        'src/cli/item.ts',
        'src/cli/listing.ts',
        'src/cli/read-text.ts',
        'src/uploads/options/shard-option.ts',
        'src/cli/shard-systems.ts',
        'src/commands/wait.ts',
        'src/config/mask.ts',
        'src/uploads/journal/caller.ts',
        'src/plan/shard.ts',
        'src/service/client/pages.ts',
        'src/service/client/poll.ts',
        'src/service/client/retry.ts',
        'src/service/client/retryable.ts',
      ],
      [
        'src/service/contract/openapi.ts',
        'src/service/contract/openapi-components.ts',
        'src/service/contract/openapi-errors.ts',
        'src/service/contract/openapi-schemas.ts',
        'src/service/contract/zod-names.ts',
        'src/service/contract/zod-parts.ts',
      ],
    ),
    priority: 2,
  },
  {
    name: 'upload-context',
    test: isAmong([
      'src/uploads/options/file-size.ts',
      'src/uploads/options/send-to-session.ts',
      'src/uploads/batch/caller.ts',
      'src/uploads/batch/journal.ts',
      'src/uploads/batch/open-uploads.ts',
      'src/uploads/batch/receipt-view.ts',
      'src/uploads/find-caller.ts',
      'src/uploads/open.ts',
      'src/uploads/transfer-limit.ts',
      'src/uploads/reading/kept-files.ts',
    ]),
    priority: 1,
  },
  {
    name: 'zod',
    test: isAmong(
      ['node_modules/zod', 'src/service/contract/zod-names.ts', 'src/service/contract/zod-parts.ts'],
      [
        'node_modules/zod/v4/classic/from-json-schema.js',
        'node_modules/zod/v4/core/json-schema.js',
        'node_modules/zod/v4/core/json-schema-generator.js',
        'node_modules/zod/v4/core/json-schema-processors.js',
        'node_modules/zod/v4/core/to-json-schema.js',
      ],
    ),
  },
  {
    name: 'book',
    test: isAmong([
      'node_modules/pend',
      'node_modules/saxes',
      'node_modules/xmlchars',
      'node_modules/yauzl',
      'src/books/accessibility-facts.ts',
      'src/books/baseline/known.ts',
      'src/books/book.ts',
      'src/books/check-type.ts',
      'src/books/cover.ts',
      'src/books/decode.ts',
      'src/books/entities.ts',
      'src/books/epub',
      'src/books/examine.ts',
      'src/books/file-kind.ts',
      'src/books/file.ts',
      'src/books/hints.ts',
      'src/books/href.ts',
      'src/books/image.ts',
      'src/books/index.ts',
      'src/books/isbn.ts',
      'src/books/lpf',
      'src/books/problems.ts',
      'src/books/rights-facts.ts',
      'src/books/rights/tdm-namespaces.ts',
      'src/books/xml.ts',
      'src/books/zip-end.ts',
      'src/books/zip-entries.ts',
      'src/books/zip-entry.ts',
      'src/books/zip-names.ts',
      'src/books/zip.ts',
      'src/cli/show-each.ts',
      'src/commands/inspect/named-books.ts',
      'src/commands/inspect/problems.ts',
      'src/inspect/about.ts',
      'src/inspect/problem-report/rows.ts',
      'src/inspect/report-row.ts',
      'src/inspect/tallied.ts',
      'src/uploads/inputs/decode.ts',
      'src/uploads/inputs/named-files.ts',
      'src/uploads/inputs/sheet/cells.ts',
      'src/uploads/inputs/sheet/columns.ts',
      'src/uploads/inputs/sheet/index.ts',
      'src/uploads/inputs/sheet/read-row.ts',
      'src/uploads/inputs/sheet/rows.ts',
      'src/uploads/inputs/source.ts',
      'src/uploads/options/book-problems.ts',
    ]),
  },
  {
    name: 'files',
    test: isAmong([
      'src/system/book-extensions.ts',
      'src/system/byte-order-mark.ts',
      'src/system/files.ts',
      'src/system/formula.ts',
      'src/system/natural-order.ts',
      'src/system/open-file.ts',
      'src/system/optimise-later.ts',
      'src/system/own-path.ts',
      'src/system/pattern.ts',
      'src/system/read-chunks.ts',
      'src/system/text-decoder.ts',
      'src/system/unreadable.ts',
      'src/uploads/asked-checks.ts',
      'src/uploads/named-rules.ts',
      'src/uploads/opened-checks.ts',
      'src/uploads/opened-rules.ts',
      'src/uploads/tell-checkers.ts',
    ]),
    priority: 2,
  },
  {
    name: 'database',
    test: isAmong([
      'src/system/database.ts',
      'src/system/database-driver.ts',
      'src/system/database-error.ts',
      'src/system/sha256.ts',
    ]),
  },
  {
    name: 'request',
    test: isAmong([
      'src/service/client/call.ts',
      'src/service/client/exchanges.ts',
      'src/service/client/http.ts',
      'src/cli/completion-cache.ts',
    ]),
  },
  {
    name: 'writing',
    test: isAmong([
      'src/system/append-file.ts',
      'src/system/complete-file.ts',
      'src/system/csv-mark.ts',
      'src/system/free-names.ts',
      'src/system/guarded.ts',
      'src/system/name-other.ts',
      'src/system/worker-path.ts',
    ]),
  },
  {
    name: 'terminal',
    test: isAmong(['src/cli/output/live-lines.ts', 'src/cli/output/width.ts']),
  },
  {
    name: 'pages',
    test: isAmong([
      'src/pages/cut-value.ts',
      'src/pages/job-summary.ts',
      'src/pages/junit.ts',
      'src/pages/page.ts',
      'src/pages/parts.ts',
      'src/pages/time-label.ts',
    ]),
  },
  {
    name: 'plan-options',
    test: isAmong(['src/plan/actions.ts', 'src/plan/name-pattern.ts']),
  },
  {
    name: 'plan',
    test: isAmong([
      'src/plan/creation.ts',
      'src/plan/decide.ts',
      'src/plan/differences.ts',
      'src/plan/divide.ts',
      'src/plan/drift.ts',
      'src/plan/known.ts',
      'src/plan/match.ts',
      'src/plan/other-book.ts',
      'src/plan/product-step.ts',
      'src/plan/same-language.ts',
      'src/plan/step.ts',
      'src/plan/upload-plan.ts',
    ]),
  },
  {
    name: 'send-file',
    test: isAmong([
      'src/service/client/send-file.ts',
      'src/service/client/upload-target.ts',
      'src/uploads/session.ts',
    ]),
  },
  {
    name: 'journal',
    test: isAmong([
      'src/uploads/file-options.ts',
      'src/uploads/journal/caller-name.ts',
      'src/uploads/journal/entry.ts',
      'src/uploads/journal/local-journal.ts',
      'src/uploads/journal/local-reader.ts',
      'src/uploads/journal/taken-over.ts',
      'src/uploads/sent/sent-store.ts',
    ]),
  },
  {
    name: 'upload',
    test: isAmong([
      'src/uploads/batch/upload-rows.ts',
      'src/uploads/lookup/lookup.ts',
      'src/uploads/reading/thread.ts',
      'src/uploads/upload-files.ts',
    ]),
  },
]

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

/**
 * Tells whether a module is one of these files, or in one of these folders, exceptions aside. A name that nothing has fails
 * the build, since a file that was renamed would leave its group without a word, and every start would be slower.
 */
function isAmong(/** @type {readonly string[]} */ paths, /** @type {readonly string[]} */ exceptions = []) {
  const named = new Set(paths.flatMap(filesOf))
  for (const file of exceptions.flatMap(filesOf)) named.delete(file)
  return (/** @type {string} */ id) => named.has(id)
}

/** Matches imports by what they end in, so that rolldown does not ask a plugin about all of them: that takes it a fifth longer. */
function endingIn(/** @type {readonly string[]} */ names) {
  return new RegExp(`(?:^|[/:])(?:${names.map(name => name.replaceAll('.', '\\.')).join('|')})(?:\\.js)?$`)
}

/** A file by its absolute path, or all files in a folder. */
function filesOf(/** @type {string} */ path) {
  const absolute = join(root, path)
  if (!statSync(absolute).isDirectory()) return [absolute]
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' }).map(name => join(absolute, name))
}
