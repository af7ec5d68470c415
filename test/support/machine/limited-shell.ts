import { execa } from 'execa'
import { environment } from './bin.ts'
import { bin } from './bin-path.ts'
import { temporaryFolder } from './pubctl.ts'

/** The program as a process of its own, below a shell line such as `ulimit`. */
export const shell = (before: string, args: readonly string[], env: Record<string, string>) =>
  execa('sh', ['-c', `${before}\nexec "$0" "$@"`, process.execPath, bin, ...args], {
    env: environment(env),
    extendEnv: false,
    // What failed is left in the folder that it runs in.
    cwd: env['HOME'] ?? temporaryFolder(),
    reject: false,
    input: '',
  })
