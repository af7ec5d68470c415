import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameOther } from '../../src/system/name-other.ts'
import { renameOver } from '../../src/system/rename-over.ts'
import { replaceFolder } from '../../src/system/replace-folder.ts'
import { writeFile } from '../../src/system/write-file.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

/** Has another program open a file for some milliseconds, such that nobody else may write or replace it. */
function holdOpen(path: string, milliseconds: number): void {
  const [script = '', said = ''] = ['hold.cjs', 'held'].map(name => join(temporaryFolder(), name))
  writeFileSync(
    script,
    `require('node:fs').writeFileSync(${JSON.stringify(said)}, ''); setTimeout(() => {}, ${milliseconds})`,
  )
  // Node itself shares each file that it opens; what the shell of Windows writes to, it does not.
  const line = `"${process.execPath}" "${script}" >> "${path}"`
  spawn('cmd', ['/d', '/s', '/c', `"${line}"`], { windowsVerbatimArguments: true })
  for (let waits = 0; !existsSync(said); waits++) {
    if (waits > 500) throw new Error('nothing has opened the file')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}

describe.runIf(process.platform === 'win32')('what another program has open for a moment', () => {
  it('is renamed over once it is closed', () => {
    const [draft = '', file = ''] = ['draft', 'file'].map(name => join(temporaryFolder(), name))
    writeFileSync(draft, 'new')
    writeFileSync(file, 'old')
    holdOpen(file, 500)
    renameOver(draft, file)
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('is in a folder that gets its name once it is closed', () => {
    const folder = join(temporaryFolder(), 'program')
    replaceFolder(folder, draft => {
      mkdirSync(draft)
      writeFileSync(join(draft, 'module'), 'new')
      holdOpen(join(draft, 'module'), 500)
    })
    expect(readFileSync(join(folder, 'module'), 'utf8')).toBe('new')
  })

  it('is written under another name where it stays open, as Excel keeps it', () => {
    const report = join(temporaryFolder(), 'receipts.csv')
    writeFileSync(report, 'old')
    holdOpen(report, 6000)
    const write = () => writeFile(report, 'new', { isPrivate: false, nameOther })
    expect(write).toThrow(/another program has it open, such as Excel; it was written as \S+receipts-2\.csv$/)
    expect(readFileSync(report.replace('.csv', '-2.csv'), 'utf8')).toBe('new')
  })
})
