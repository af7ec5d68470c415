// Looks for inputs that mislead the program (see test/fuzz/README.md): npm run fuzz -- [<option of test/fuzz/fuzz.ts>...]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { chunksOf, root } from './bundle.js'
import { planting } from './plant.js'

/** What the program runs as threads and processes, which must lie beside it. */
const apart = [
  'pdf-process',
  'pdf-worker',
  'reading-worker',
  'reading-thread',
  'hash-worker',
  'yaml-worker',
  'keychain-worker',
]

/**
 * Bundles the program with what reads its inputs, perhaps with a fault that is to be found, and gives the path. The program must be
 * built.
 */
export async function bundleFuzz(
  /** @type {string} */ name,
  /** @type {import('./plant.js').Plant | undefined} */ plant = undefined,
) {
  const input = { [name]: 'test/fuzz/main.ts' }
  const output = { codeSplitting: false, minify: false, sourcemap: /** @type {const} */ (false) }
  const [chunk] = await chunksOf(input, output, [planting(plant)])
  if (!chunk) throw new Error('nothing was bundled')
  const path = join(root, 'dist/fuzz', name, 'fuzz.js')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, chunk.code)
  // Which part of it comes from which file of the program.
  const parts = Object.entries(chunk.modules).flatMap(([id, { code }]) => {
    const file = relative(root, id).replaceAll('\\', '/')
    const start = code === null ? -1 : chunk.code.indexOf(code)
    return start === -1 || !file.startsWith('src/') ? [] : [{ file, start, end: start + (code?.length ?? 0) }]
  })
  writeFileSync(join(dirname(path), 'parts.json'), JSON.stringify(parts))
  for (const each of apart) copyFileSync(join(root, 'dist', `${each}.js`), join(dirname(path), `${each}.js`))
  return path
}

if (process.argv[1] === import.meta.filename) {
  await import('./build.js')
  const path = await bundleFuzz('all')
  // The terminal sends it to the fuzzer as well, which ends with its figures.
  process.on('SIGINT', () => {})
  const child = spawn(process.execPath, [path, ...process.argv.slice(2)], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
