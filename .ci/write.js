// Writes what is built in one go, since tests may be loading it, and another `npm pack` packing it.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Writes a file, of which nobody sees a part. */
export function write(/** @type {string} */ path, /** @type {string} */ text) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** Writes the files of a folder, by their paths in it, and removes all others. */
export function writeFolder(/** @type {string} */ folder, /** @type {ReadonlyMap<string, string>} */ files) {
  for (const [path, text] of files) write(join(folder, path), text)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    if (!entry.isDirectory() && !name.startsWith('.') && !files.has(name)) rmSync(path, { force: true })
  }
}
