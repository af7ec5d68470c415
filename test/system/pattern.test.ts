import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesMatching } from '../../src/system/pattern.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const names = ['First.EPUB', 'second.epub', 'third.Epub', 'notes.txt']

function scene(): string {
  const folder = join(temporaryFolder(), 'spring list')
  mkdirSync(join(folder, 'Backlist'), { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'Backlist', 'old.epub'), '')
  return folder
}

describe('a pattern', () => {
  test.each<[string, NodeJS.Platform, string[]]>([
    ['*.epub', 'linux', ['second.epub']],
    ['*.EPUB', 'linux', ['First.EPUB']],
    ['*.EPUB', 'win32', ['First.EPUB', 'second.epub', 'third.Epub']],
    ['*.epub', 'darwin', ['First.EPUB', 'second.epub', 'third.Epub']],
    ['BACKLIST/*', 'linux', []],
    ['**/OLD.*', 'win32', ['old.epub']],
    ['{first,second}.*', 'win32', ['First.EPUB', 'second.epub']],
    ['.*', 'win32', []],
  ])('%s, on %s', async (pattern, platform, found) => {
    const files = filesMatching(join(scene(), pattern), platform)
    if (found.length === 0) return await expect(files).rejects.toMatchObject({ code: 'no_books' })
    expect((await files).map(file => basename(file))).toEqual(found)
  })

  test('is sought from its own folder, and names what it finds by that', async () => {
    const folder = scene()
    expect(await filesMatching(`${folder}/B*/*.epub`)).toEqual([join(folder, 'Backlist', 'old.epub')])
    expect(await filesMatching(`${folder}/../spring list/sec*`)).toEqual([join(folder, 'second.epub')])
  })
})
