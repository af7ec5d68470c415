import { join } from 'node:path'
import { execa } from 'execa'
import { findNoSecret } from './canary.ts'
import { temporaryFolder } from './pubctl.ts'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')

/** Starts the program as a process, in an empty home, away from the keychain, and with nothing else in its environment. */
export const startBin = (args: readonly string[], env: Record<string, string>, input = '') =>
  execa(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder(), PUBCTL_KEYCHAIN: 'off', ...env },
    extendEnv: false,
    reject: false,
    input,
  })

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
