// The packages of which something is bundled into dist.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The folder of each such package, with what its package.json says, sorted by folder. */
export async function bundledPackages() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/uploads/hash-worker.ts', 'src/books/pdf/worker.ts', 'src/uploads/reading-worker.ts'],
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
  return [...new Set(folders)]
    .sort()
    .map(folder => ({ folder, ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) }))
}
