// Builds dist/ from src/. Modules of earlier builds stay, since a program that still runs may need them, unless --clean is
// given.
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, packagesOf, root } from './bundle.js'
import { write } from './write.js'

const dist = join(root, 'dist')
const chunks = await bundle()
const files = new Map()
for (const { fileName, code, map } of chunks) {
  // What V8 compiles of a file is kept by the hash in its first line, which moves the others down by one.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 24)
  // The maps of what reads PDFs and speaks to agents, which are nearly all libraries, would be larger than all others.
  const isMapped = map && !['pdf-worker.js', 'mcp-protocol.js'].includes(fileName)
  files.set(fileName, `//${hash}\n${code}\n${isMapped ? `//# sourceMappingURL=${fileName}.map\n` : ''}`)
  if (isMapped) files.set(`${fileName}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
}
// The nearest package.json is what a bundler asks whether a module may be left out.
files.set('package.json', '{ "type": "commonjs", "sideEffects": false }\n')
files.set('build.json', JSON.stringify({ packages: packagesOf(chunks) }))
for (const [name, text] of files) write(join(dist, name), text)
// What is built again is never missing meanwhile, so that packing disturbs nothing that runs.
if (process.argv.includes('--clean'))
  for (const file of readdirSync(dist))
    if (/\.m?js(\.map)?$/.test(file) && !files.has(file)) rmSync(join(dist, file))
