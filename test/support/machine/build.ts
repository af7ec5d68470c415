import { join } from 'node:path'
import { execa } from 'execa'

/** Builds the program once before the tests: they run what users run. */
export default async function build(): Promise<void> {
  await execa(process.execPath, [join(import.meta.dirname, '../../../.ci/build.js')], { stdio: 'inherit' })
}
