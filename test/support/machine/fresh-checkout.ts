import { cpSync } from 'node:fs'
import { join, relative } from 'node:path'
import { temporaryFolder } from './pubctl.ts'

const root = join(import.meta.dirname, '../../..')
/** What .gitignore lists, and git's own folder. */
const apart = /^(?:\.git|node_modules|dist|coverage|sbom\.json|failed\.csv|[^/]*\.tgz)$/

/** A copy of the project as it is after a clone: nothing is installed or built. It is gone when the test is. */
export function freshCheckout(folder = join(temporaryFolder(), 'pubctl')): string {
  cpSync(root, folder, { recursive: true, filter: path => !apart.test(relative(root, path)) })
  return folder
}
