// Writes dist/NOTICES.txt: the licence of every package of which something is bundled, as the licences ask for.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts', 'src/uploads/hash-worker.ts', 'src/books/pdf-worker.ts', 'src/uploads/reading-worker.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: 'dist',
  external: ['libsql'],
  metafile: true,
  write: false,
  logLevel: 'error',
})
const folders = Object.keys(metafile.inputs).flatMap(
  input => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.slice(0, 1) ?? [],
)
const notices = [...new Set(folders)].sort().map(folder => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const [file] = readdirSync(join(root, folder)).filter(each => /^licen[cs]e/i.test(each))
  const text = file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8') : ''
  if (!text && !license) throw new Error(`${name} has no licence`)
  return [`${name} ${version} (${license})`, text.replaceAll('\r\n', '\n').trim()].filter(Boolean).join('\n\n')
})
const rule = `\n\n${'-'.repeat(80)}\n\n`
writeFileSync(
  join(root, 'dist/NOTICES.txt'),
  `pubctl holds parts of these packages:${rule}${notices.join(rule)}\n`,
)
