import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Libsql from 'libsql'
import { UsageFailure } from './errors.ts'
import { whyNotLoaded } from './native-package.ts'

/** The driver of SQLite. It is native, and can be missing from an installation: UsageFailure `no_database_driver`. */
export function loadDriver(): typeof Libsql {
  const require = createRequire(import.meta.url)
  try {
    const path = require.resolve('libsql')
    return require.cache[path] === undefined ? loadTelling(require, path) : require(path)
  } catch (error) {
    if (/^E[MN]FILE$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    const { trouble, hint } = whyNotLoaded(error, process.platform, process.arch)
    throw new UsageFailure(`the package libsql ${trouble}, and this needs it`, {
      code: 'no_database_driver',
      hint:
        hint ??
        'The sandbox and the journal of uploads need it. Install pubctl again, with its optional packages.',
      cause: error,
    })
  }
}

/**
 * Loads libsql and tells it which C library there is. To find out, it would load what starts processes and have Node write a
 * report on this process: 8 ms of 18. Where this does not know either, libsql finds out by itself.
 */
function loadTelling(require: NodeJS.Require, path: string): typeof Libsql {
  const library = libraryOfSystem()
  if (library === undefined) return require(path)
  const target = `linux-${process.arch}-${library === 'musl' ? 'musl' : 'gnu'}`
  const answers = {
    'detect-libc': { GLIBC: 'glibc', MUSL: 'musl', familySync: () => library },
    '@neon-rs/load': { currentTarget: () => target },
  }
  const told: string[] = []
  try {
    for (const [name, exports] of Object.entries(answers)) {
      const filename = createRequire(path).resolve(name)
      if (require.cache[filename] !== undefined) continue
      require.cache[filename] = { id: filename, filename, loaded: true, exports } as NodeJS.Module
      told.push(filename)
    }
    return require(path)
  } finally {
    // Whatever else asks for these modules in this process gets them as they are.
    for (const filename of told) delete require.cache[filename]
  }
}

/** The C library of a Linux with 64 bits, as detect-libc reads it from the program that lists what a program is linked to. */
function libraryOfSystem(): 'glibc' | 'musl' | undefined {
  if (process.platform !== 'linux' || !/^(x64|arm64)$/.test(process.arch)) return undefined
  try {
    const text = readFileSync('/usr/bin/ldd', 'latin1')
    if (text.includes('musl')) return 'musl'
    return text.includes('GLIBC') ? 'glibc' : undefined
  } catch {
    return undefined
  }
}
