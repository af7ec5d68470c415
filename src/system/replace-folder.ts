import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './complete-file.ts'
import { existsAt } from './free-names.ts'
import { renameOver } from './rename-over.ts'

/**
 * Fills a new folder beside a folder and puts it in its place, so that no process finds a part of it. Nothing is replaced where
 * another process was first. Throws the system's error.
 */
export function replaceFolder(folder: string, fill: (draft: string) => void): void {
  const draft = mkdtempSync(`${folder}.`)
  try {
    fill(join(draft, 'new'))
    try {
      renameOver(folder, join(draft, 'old'))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
    renameOver(join(draft, 'new'), folder, () => !existsAt(folder))
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY'].includes(codeOf(error))) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
