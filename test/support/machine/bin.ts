import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { bin } from './bin-path.ts'
import { findNoSecret } from './canary.ts'
import { withCompiledCode } from './compiled-code.ts'
import { homeVariables } from './home.ts'
import { withSandbox } from './new-sandbox.ts'
import { temporaryFolder } from './pubctl.ts'

/**
 * The environment of a process of the program, away from the keychain and with nothing that is not given. Its home is an
 * empty one, if none is given.
 */
export const environment = ({ HOME = temporaryFolder(), ...env }: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  ...homeVariables(withCompiledCode(HOME)),
  PUBCTL_KEYCHAIN: 'off',
  ...env,
})

/** A PATH on which the program stands as `pubctl`, in the folder that is given. */
export function pathWithPubctl(folder = temporaryFolder()): string {
  writeFileSync(join(folder, 'pubctl'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, {
    mode: 0o755,
  })
  return `${folder}:${process.env['PATH']}`
}

/** Starts the program as a process, in its home if one is given: what failed is left in the folder that it runs in. */
export function startBin(args: readonly string[], given: Record<string, string>, input = '') {
  const env = environment(given)
  withSandbox(args, { env, home: env.HOME })
  return execa(process.execPath, [bin, ...args], {
    ...{ env, extendEnv: false, reject: false, input, cwd: given['HOME'] ?? process.cwd() },
  })
}

/**
 * Runs the program as a process to its end. The key that it is given must not stand in anything that it prints or leaves
 * behind, but for the profile file.
 */
export async function runBin(args: readonly string[], env: Record<string, string>, input = '') {
  const { PUBCTL_API_KEY: key, HOME = temporaryFolder() } = env
  const result = await startBin(args, { HOME, ...env }, input)
  findNoSecret(key === undefined ? [] : [key], result.stdout + result.stderr, HOME, args.join(' '))
  return result
}
