import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './pubctl.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * A copy of the built program, as it lies beside the packages that it is installed with, one of which is left out or replaced
 * by a package with these files. Returns the path of its first module.
 */
export function programBesidePackages(
  left: string,
  files: Readonly<Record<string, string>> = {},
): { folder: string; bin: string } {
  const folder = temporaryFolder()
  for (const each of ['bin', 'package.json', 'dist'])
    cpSync(join(root, each), join(folder, each), {
      recursive: true,
      filter: path => !/\.map$|\/(man|types|fuzz)$/.test(path),
    })
  mkdirSync(join(folder, 'node_modules'))
  for (const each of readdirSync(join(root, 'node_modules')))
    if (each !== left) symlinkSync(join(root, 'node_modules', each), join(folder, 'node_modules', each))
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'node_modules', left, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return { folder, bin: join(folder, 'bin/pubctl.js') }
}
