// Builds dist/ from src/: bundled, minified, and split, so that a command loads only its own room.
//
// Node loads CommonJS several milliseconds faster than ES modules, and one file faster than many. So esbuild splits the
// program into ES modules; then all that main.js always loads is put into it, and the rest is turned into CommonJS one by
// one. Modules of earlier builds stay, since a program that still runs may need them, unless --clean is given.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
import { outlinedContract } from './contract.js'
import { leaner } from './leaner.js'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const common = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  logLevel: 'warning',
  external: ['libsql'],
  bundle: true,
  write: false,
}
const commonJs = {
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'importMetaUrl' },
}
const prelude = `"use strict";const importMetaUrl=require('node:url').pathToFileURL(__filename).href;`

const split = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  splitting: true,
  format: 'esm',
  outdir: 'dist',
  plugins: [leaner, outlinedContract],
  metafile: true,
})
const texts = new Map(split.outputFiles.map(({ path, text }) => [`./${basename(path)}`, text]))
const start = [...startOf('./main.js')]

const [main] = (
  await build({
    ...common,
    ...commonJs,
    stdin: {
      contents: [
        `export * from './main.js'`,
        ...start.map((path, index) => `export * as part${index} from '${path}'`),
      ].join('\n'),
    },
    plugins: [{ name: 'start', setup: joinStart }],
  })
).outputFiles
const workers = await build({
  ...common,
  ...commonJs,
  entryPoints: ['src/uploads/hash-worker.ts', 'src/books/pdf-worker.ts'],
  outdir: 'dist',
})

if (process.argv.includes('--clean')) rmSync(dist, { recursive: true, force: true })
for (const { path, text } of workers.outputFiles) write(path, prelude + text)
for (const [path, text] of texts)
  if (!start.includes(path)) write(join(dist, path), await asCommonJs(text))
write(join(dist, 'main.js'), `"use strict";${main.text}`)
write(join(dist, 'package.json'), '{ "type": "commonjs" }\n')

/** A module and all that it imports statically, and so on. */
function startOf(path, found = new Set()) {
  if (found.has(path) || !texts.has(path)) return found
  found.add(path)
  for (const { path: next, kind } of split.metafile.outputs[`dist/${basename(path)}`].imports)
    if (kind === 'import-statement') startOf(`./${basename(next)}`, found)
  return found
}

/** Takes the modules of the start from memory, and leaves the others where they are. */
function joinStart({ onResolve, onLoad }) {
  onResolve({ filter: /^\.\// }, ({ path }) =>
    start.includes(path) ? { path, namespace: 'start' } : { path, external: true },
  )
  onLoad({ filter: /.*/, namespace: 'start' }, ({ path }) => ({ contents: texts.get(path) }))
}

async function asCommonJs(text) {
  const { code } = await transform(text, { ...commonJs, platform: 'node', target: common.target, minify: true })
  const joined = code.replace(/\brequire\("(\.\/[\w-]+\.js)"\)/g, (whole, path) =>
    start.includes(path) ? `require("./main.js").part${start.indexOf(path)}` : whole,
  )
  return (text.includes('import.meta.url') ? prelude : '"use strict";') + joined
}

/** Writes a file in one go, since tests that run may be loading it. */
function write(path, text) {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, text)
  renameSync(draft, path)
}
