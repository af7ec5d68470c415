// What scripts/ has is TypeScript, which Node.js 20 does not read.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root } from './bundle.js'

/**
 * Imports a module of scripts/, bundled with what it uses of the source.
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function importScript(name) {
  const bundle = await rolldown({
    input: join(root, 'scripts', `${name}.ts`),
    cwd: root,
    platform: 'node',
    // Every package, and no path.
    external: /^[@a-z](?!:)/i,
    transform: { target: 'node20.19' },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  // As deep as scripts/ itself, so that what it finds from its own folder is there; and not in dist/, which tests copy.
  const file = join(root, 'node_modules', `.script-${name}-${process.pid}.mjs`)
  try {
    writeFileSync(file, output[0].code)
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(file, { force: true })
  }
}
