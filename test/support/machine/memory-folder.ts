import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { isSlow } from './slow.ts'

const memory = '/dev/shm'
/** What the tests need at most is a fraction of this, in bytes. */
const enough = 4 * 2 ** 30

/**
 * Has the tests write to memory where a Linux has enough of it: they make and delete so many small files, of which databases
 * wait for the disk, that it takes a sixth of the processors' time. The slow tests write large files, and stay on the disk.
 */
export default function memoryFolder(): (() => void) | undefined {
  if (isSlow || process.env['TMPDIR'] || !hasRoom()) return undefined
  const folder = mkdtempSync(join(memory, 'pubctl-'))
  // A journey runs what is in it as another user.
  chmodSync(folder, 0o755)
  const end = () => rmSync(folder, { recursive: true, force: true })
  if (!canExecuteIn(folder)) {
    end()
    return undefined
  }
  process.env['TMPDIR'] = folder
  process.once('exit', end)
  return end
}

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
  const script = join(folder, 'script')
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(script).status === 0
}
