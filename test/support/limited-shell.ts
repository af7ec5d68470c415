import { join } from 'node:path'
import { execa } from 'execa'
import { temporaryFolder } from './pubctl.ts'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')

/** The program as a process of its own, below a shell line such as `ulimit`. */
export const shell = (before: string, args: readonly string[], env: Record<string, string>) =>
  execa('sh', ['-c', `${before}\nexec "$0" "$@"`, process.execPath, bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    extendEnv: false,
    // What failed is left in the folder that it runs in.
    cwd: env['HOME'] ?? temporaryFolder(),
    reject: false,
    input: '',
  })
