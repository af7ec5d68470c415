import { join } from 'node:path'
import { execa } from 'execa'
import { temporaryFolder } from './pubctl.ts'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')

/** Runs the program as a process, in an empty home and with nothing but `env` in its environment. */
export const runBin = (args: readonly string[], env: Record<string, string>, input = '') =>
  execa(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: temporaryFolder(), ...env },
    extendEnv: false,
    reject: false,
    input,
  })
