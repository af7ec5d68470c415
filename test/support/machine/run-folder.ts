import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSlow } from './slow.ts'

const memory = '/dev/shm'
/** What the tests need at most is a fraction of this, in bytes. */
const enough = 4 * 2 ** 30

/**
 * Gives the run a folder for all its temporary files, which is gone after it: Windows deletes no file that is open, as a database is
 * until its process ends. It has its real path there and on macOS, as programs print it. On a Linux with enough memory it is there: the
 * tests make and delete so many small files, of which databases wait for the disk, that it takes a sixth of the processors' time. The slow
 * tests write large files, and stay on the disk.
 */
export default function makeRunFolder(): (() => void) | undefined {
  const place = process.platform === 'linux' ? memoryWithRoom() : realpathSync.native(tmpdir())
  if (place === undefined) return undefined
  const folder = mkdtempSync(join(place, 'pubctl-'))
  // A journey runs what is in it as another user.
  chmodSync(folder, 0o755)
  const end = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  if (!canExecuteIn(folder)) {
    end()
    return undefined
  }
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.once('exit', end)
  return end
}

const memoryWithRoom = (): string | undefined =>
  isSlow || process.env['TMPDIR'] || !hasRoom() ? undefined : memory

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory)
    const isMemory = type === 0x01021994
    return isMemory && Math.min(bavail * bsize, freemem()) >= enough
  } catch {
    return false
  }
}

/** Containers may forbid that. */
function canExecuteIn(folder: string): boolean {
  if (process.platform === 'win32') return true
  const script = join(folder, 'script')
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(script).status === 0
}
