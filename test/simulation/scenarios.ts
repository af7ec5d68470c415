import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'

/** A publication that the service is to have, with the MD5 of the file and of the cover of each edition, the oldest first. */
export interface WantedPublication {
  readonly title: string
  readonly editions: readonly { readonly file: string; readonly cover?: string }[]
}

/** What a person wants, and by which command lines. */
export interface Scenario {
  readonly name: string
  readonly command: readonly string[]
  /** The command line that goes on with what was begun, before the first one is repeated. */
  readonly resume?: readonly string[]
  readonly wanted: readonly WantedPublication[]
}

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex')

/** The scenarios, with their files in a folder. */
export async function scenariosIn(folder: string): Promise<Scenario[]> {
  const file = (name: string, content: Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return { path, md5: md5(content) }
  }
  const cover = file('cover.png', exampleCover())
  const book = file('one.epub', await makeExampleEpub({ title: 'One', cover: false }))
  return [
    {
      name: 'upload',
      command: ['publications', 'upload', book.path, '--cover', cover.path, '--json'],
      resume: ['uploads', 'resume', '--json'],
      wanted: [{ title: 'One', editions: [{ file: book.md5, cover: cover.md5 }] }],
    },
  ]
}
