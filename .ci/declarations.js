// Writes the types of the library to a folder, dist/types by default: node .ci/declarations.js [folder]
//
// Of what the compiler emits, only the files go there that the library's own declarations lead to, as they are: the './step.ts'
// in one means step.d.ts, from TypeScript 5.0 on. None of them may need a package, since what is bundled is not installed with
// pubctl. `npm run types` has checked the source; to check it again would take twice as long.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { entries, root } from './bundle.js'
import { importScript } from './script.js'
import { writeFolder } from './write.js'

const destination = resolve(process.argv[2] ?? join(root, 'dist/types'))
const emitted = mkdtempSync(join(tmpdir(), 'pubctl-types-'))
try {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, '.ci/tsconfig.declarations.json')
  const compile = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [compiler, ...args, '--noCheck', '--singleThreaded'], { stdio: 'inherit' })
  compile('-p', project, '--outDir', emitted)
  // What the source derives from the schemas is written out, since users have no zod.
  const { serviceTypes } = await importScript('service-types')
  const service = join(emitted, 'service.ts')
  writeFileSync(service, serviceTypes())
  const plain = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--noResolve',
    '--target',
    'es2023',
  ]
  compile(service, ...plain, '--outDir', join(emitted, 'src/library'))
  const left = Object.values(entries).map(path => path.replace(/\.ts$/, '.d.ts'))
  const files = new Map()
  const done = new Set()
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (done.has(path)) continue
    done.add(path)
    const text = readFileSync(join(emitted, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
      if (!name.startsWith('.')) throw new Error(`the declaration ${path} needs "${name}"`)
      left.push(join(dirname(path), name.replace(/\.ts$/, '.d.ts')))
    }
    files.set(path.replaceAll('\\', '/').replace(/^src\//, ''), text)
  }
  // For whoever imports, what is declared is an ES module. dist/package.json makes CommonJS of all other files.
  for (const path of Object.values(entries)) {
    const name = path.replace(/^src\//, '').replace(/\.ts$/, '')
    files.set(`${name}.d.mts`, `export * from './${basename(name)}.js'\n`)
  }
  writeFolder(destination, files)
} finally {
  rmSync(emitted, { recursive: true, force: true })
}
