import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the program once before the tests: they run what users run. */
export default function build(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../.ci/build.js')], { stdio: 'inherit' })
}
