import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writeCompleteFile } from '../system/complete-file.ts'
import { UsageFailure } from '../system/errors.ts'
import { makeFolder } from '../system/make-folder.ts'
import { checkOwnership, readOwnFile } from '../system/ownership.ts'

/** What a key is for. No key of one purpose tells anything about that of another. */
type Purpose = 'journal'

const bytes = 32

/**
 * A random key of this user on this machine, with which pubctl recognises what it has written itself into folders that are
 * copied or restored, such as by a cache of CI. It is made once, in the configuration folder, readable for its owner alone.
 * Throws UsageFailure `unsafe_permissions`, `key_damaged` or `key_unusable`.
 */
export function secretKey(configDir: string, purpose: Purpose): Buffer {
  const path = join(configDir, 'secret.key')
  checkOwnership(configDir)
  const stored = readStored(path) ?? makeStored(path, configDir)
  return createHmac('sha256', stored).update(purpose).digest()
}

function readStored(path: string): Buffer | undefined {
  let text: string
  try {
    text = readOwnFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, 'read', error)
  }
  if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trim(), 'hex')
  throw new UsageFailure(`the file ${path} does not hold the key that pubctl wrote there`, {
    code: 'key_damaged',
    hint: 'Remove it to have a new one made; what was recorded of uploads before is then left alone.',
  })
}

function makeStored(path: string, folder: string): Buffer {
  try {
    makeFolder(folder)
    // Another process may be first, and then its key counts.
    writeCompleteFile(path, `${randomBytes(bytes).toString('hex')}\n`, 0o600)
  } catch (error) {
    throw unusable(path, 'write', error)
  }
  const stored = readStored(path)
  if (stored === undefined) throw unusable(path, 'read', new Error('it is a link to nothing'))
  return stored
}

function unusable(path: string, action: 'read' | 'write', error: unknown): UsageFailure {
  if (error instanceof UsageFailure) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new UsageFailure(`cannot ${action} ${path}: ${code ?? message}`, {
    code: 'key_unusable',
    hint: 'Name another folder in PUBCTL_CONFIG_DIR.',
    cause: error,
  })
}
