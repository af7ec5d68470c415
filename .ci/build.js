// Builds dist/ from src/: bundled, minified, and split, so that a command loads only its own room.
//
// Node loads CommonJS several milliseconds faster than ES modules, and one file faster than many. So esbuild splits the
// program into ES modules; then all that main.js always loads is put into it, and the rest is turned into CommonJS one by
// one. Modules of earlier builds stay, since a program that still runs may need them, unless --clean is given.
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
import { outlinedContract } from './contract.js'
import { interimAnswers } from './interim.js'
import { inject, leaner } from './leaner.js'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
/** How many bytes a small module has at most. */
const small = 4096
const common = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  logLevel: 'warning',
  external: ['libsql', '@napi-rs/keyring'],
  bundle: true,
  write: false,
}
/** What modules say of themselves, in the words of CommonJS. */
const define = {
  'import.meta.url': 'importMetaUrl',
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
}

const split = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  splitting: true,
  format: 'esm',
  outdir: 'dist',
  inject,
  plugins: [leaner, outlinedContract, interimAnswers],
  metafile: true,
})
const texts = new Map(split.outputFiles.map(({ path, text }) => [`./${basename(path)}`, text]))
const start = [...startOf('./main.js')]
// A small module that several rooms share takes longer to open than to compile, so it comes along, unless it makes Node
// load something.
for (const path of texts.keys()) {
  const needed = path.startsWith('./chunk-') ? [...startOf(path)].filter(each => !start.includes(each)) : []
  if (needed.every(isSmall)) start.push(...needed)
}

const [main] = (
  await build({
    ...common,
    stdin: {
      contents: [`export * from './main.js'`, ...start.map(path => `export {${namesIn(path)}} from '${path}'`)].join('\n'),
    },
    format: 'esm',
    plugins: [{ name: 'start', setup: joinStart }],
  })
).outputFiles
// What is loaded otherwise: by the process before anything else, and as threads and a process of their own.
const alone = await build({
  ...common,
  define,
  format: 'cjs',
  entryPoints: {
    start: 'src/start.ts',
    'uploads/hash-worker': 'src/uploads/hash-worker.ts',
    'books/pdf-worker': 'src/books/pdf/worker.ts',
    'config/keychain-worker': 'src/config/keychain-worker.ts',
    // Beside main.js, since both look for the reader of PDFs.
    'reading-worker': 'src/uploads/reading-worker.ts',
  },
  outdir: 'dist',
})

if (process.argv.includes('--clean')) rmSync(dist, { recursive: true, force: true })
for (const { path, text } of alone.outputFiles) write(path, text)
for (const [path, text] of texts)
  if (!start.includes(path)) write(join(dist, path), await asCommonJs(text))
write(join(dist, 'main.js'), await asCommonJs(main.text))
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')

/** A module and all that it imports statically, and so on. */
function startOf(path, found = new Set()) {
  if (found.has(path) || !texts.has(path)) return found
  found.add(path)
  for (const { path: next, kind } of split.metafile.outputs[`dist/${basename(path)}`].imports)
    if (kind === 'import-statement') startOf(`./${basename(next)}`, found)
  return found
}

function isSmall(path) {
  const { bytes, imports } = split.metafile.outputs[`dist/${basename(path)}`]
  return bytes < small && imports.every(({ external }) => !external)
}

/** Takes the modules of the start from memory, and leaves the others where they are. */
function joinStart({ onResolve, onLoad }) {
  onResolve({ filter: /^\.\// }, ({ path }) =>
    start.includes(path) ? { path, namespace: 'start' } : { path, external: true },
  )
  onLoad({ filter: /.*/, namespace: 'start' }, ({ path }) => ({ contents: texts.get(path) }))
}

/** What a module of the start exports, under the names that it has for the others. */
function namesIn(path) {
  const { exports } = split.metafile.outputs[`dist/${basename(path)}`]
  return exports.map(name => `${name} as ${nameFor(path, name)}`).join()
}

function nameFor(path, name) {
  return `part${start.indexOf(path)}_${name}`
}

/** `a as b,c` → [['a', 'b'], ['c', 'c']] */
function pairsIn(names) {
  return names.split(',').map(each => {
    const [first, second = first] = each.split(' as ')
    return [first, second]
  })
}

/**
 * A module that esbuild has split off, as CommonJS. esbuild's own way makes a getter for everything that is exported, in
 * case it changes later; nothing here does.
 */
async function asCommonJs(text) {
  const joined = text
    .replace(/\bimport\{([^}]*)\}from"(\.\/[\w-]+\.js)"/g, (whole, names, path) => {
      if (!start.includes(path)) return whole
      const theirs = pairsIn(names).map(([name, local]) => `${nameFor(path, name)} as ${local}`)
      return `import{${theirs}}from"./main.js"`
    })
    .replace(/\bimport"(\.\/[\w-]+\.js)"/g, (whole, path) => (start.includes(path) ? 'import"./main.js"' : whole))
    .replace(/\bimport\(("\.\/[\w-]+\.js")\)/g, 'Promise.resolve().then(()=>require($1))')
    .replace(
      /\bexport\{([^}]*)\};\s*$/,
      (_, names) => `module.exports={${pairsIn(names).map(([local, name]) => `${name}:${local}`)}};`,
    )
  const { code } = await transform(joined, {
    define,
    format: 'cjs',
    platform: 'node',
    target: common.target,
    minify: true,
    supported: { 'dynamic-import': false },
  })
  return code
}

/**
 * Writes a module, headed by what tells its text from every other. In one go, since tests that run may be loading it.
 */
function write(path, text) {
  const url = "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;"
  const code = `"use strict";${text.includes('importMetaUrl') ? url : ''}${text}`
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, `//${createHash('sha256').update(code).digest('hex').slice(0, 24)}\n${code}`)
  renameSync(draft, path)
}
