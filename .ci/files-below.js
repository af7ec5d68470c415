import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Every file below a folder, with slashes, in the same order on every machine. */
export function filesBelow(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}
