import { copyFileSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { directoriesOf } from '../../../src/config/paths.ts'
import { databasePath } from '../../../src/sandbox/store/database.ts'
import { loadDriver } from '../../../src/system/database-driver.ts'
import { makeFolder } from '../../../src/system/make-folder.ts'
import { bin } from './bin-path.ts'
import { folderVariables, homeVariables } from './home.ts'
import { removeFolder } from './remove-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of a sandbox that was just made. */
    readonly newSandbox: string
  }
}

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const dataDirOf = ({ env, home }: Place): string =>
  directoriesOf({ env, home, platform: process.platform }).dataDir
const fileIn = (dataDir: string): string => databasePath(join(dataDir, 'sandbox'))

/** Has the program make a sandbox before all tests, for `withSandbox`. */
export async function makeSandbox({ provide }: TestProject): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), 'pubctl-sandbox-'))
  const env = { PATH: process.env['PATH'], ...homeVariables(home), PUBCTL_KEYCHAIN: 'off' }
  await execa(process.execPath, [bin, '--profile', 'sandbox', 'domains', 'list'], { env, extendEnv: false })
  const file = fileIn(dataDirOf({ env: folderVariables(home), home }))
  forgetPort(file)
  provide('newSandbox', file)
  return () => removeFolder(home)
}

/**
 * Lets each copy listen on a port of its own: a sandbox tries the port that it had before, so that of two copies the later one would
 * be elsewhere, and what is sent to its upload session would arrive at the other one, which has the same secret.
 */
function forgetPort(file: string): void {
  const db = new (loadDriver())(file)
  db.exec(`DELETE FROM settings WHERE name = 'port'`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/**
 * Puts a new sandbox into a home of which pubctl keeps nothing yet, and that a command with these arguments would make one in.
 * To make it takes the processor ten times as long, and most tests have a home of their own.
 */
export function withSandbox(args: readonly string[], place: Place): void {
  const [flag, profile] = args
  if (flag !== '--profile' || profile !== 'sandbox' || !existsSync(place.home)) return
  try {
    const dataDir = dataDirOf(place)
    if (existsSync(dataDir)) return
    const file = fileIn(dataDir)
    makeFolder(dirname(file))
    copyFileSync(inject('newSandbox'), file)
  } catch {
    // The command itself is to say what is wrong with such a place.
  }
}
