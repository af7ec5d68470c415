// Builds dist/ from src/. Modules of earlier builds stay, since a program that still runs may need them, unless --clean is
// given.
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, packagesOf, root } from './bundle.js'

const dist = join(root, 'dist')
const chunks = await bundle()
const written = []
if (process.argv.includes('--clean')) rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
for (const { fileName, code, map } of chunks) {
  // What V8 compiles of a file is kept by the hash in its first line, which moves the others down by one.
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 24)
  // The maps of what reads PDFs and speaks to agents, which are nearly all libraries, would be larger than all others.
  const isMapped = map && !['pdf-worker.js', 'mcp-protocol.js'].includes(fileName)
  write(fileName, `//${hash}\n${code}\n${isMapped ? `//# sourceMappingURL=${fileName}.map\n` : ''}`)
  if (isMapped)
    write(`${fileName}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }))
}
write('package.json', '{ "type": "commonjs" }\n')
write('build.json', JSON.stringify({ packages: packagesOf(chunks), files: written }))

/** In one go, since tests that run may be loading it. */
function write(name, text) {
  written.push(name)
  const draft = join(dist, `.${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(dist, name))
}
