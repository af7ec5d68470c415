import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExampleOptions } from '../../src/sandbox/seed/example-epub/book.ts'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import type { Going } from './history.ts'

/** A publication that the service is to have, with the MD5 of the file and of the cover of each edition, the oldest first. */
export interface WantedPublication {
  readonly title: string
  readonly editions: readonly { readonly file: string; readonly cover?: string }[]
}

/**
 * What a person wants, and by which command lines. In these, `{shared}` is a folder that all machines share, and `{publication}` the
 * oldest publication at the service.
 */
export interface Scenario {
  readonly name: string
  /** What was done before, while nothing went wrong. */
  readonly before?: readonly (readonly string[])[]
  readonly command: readonly string[]
  /** What succeeds once all is done; the same command if it is not given. */
  readonly check?: readonly string[]
  /** How it may go on after an early end, but for the same command at once. */
  readonly goings: readonly Going[]
  /** Elsewhere it may stop, since only a person can know whether the first machine goes on; then nothing is there twice. */
  readonly mayStopElsewhere?: boolean
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
  const book = async (name: string, options: ExampleOptions) =>
    file(name, await makeExampleEpub({ cover: false, ...options }))
  const one = await book('one.epub', { title: 'One', isbn: '9783161484100' })
  const newer = await book('newer.epub', { title: 'One', isbn: '9783161484100', description: 'New' })
  const two = await book('two.epub', { title: 'Two', isbn: '9780306406157', cover: true })
  const three = await book('three.epub', { title: 'Three' })
  const withTwo = { title: 'Two', editions: [{ file: two.md5, cover: cover.md5 }] }
  const sheet = file('books.csv', Buffer.from(`file,description\n${one.path},First\n${two.path},Second\n`))
  const here = ['resume', 'a day later', 'clock back'] as const
  const plan = (out: string) => ['catalogue', 'plan', sheet.path, '--out', out, '--yes']
  const knowsHashes = ['metadata-keys', 'create', 'sha256']
  return [
    {
      name: 'upload',
      command: ['publications', 'upload', one.path, '--cover', cover.path, '--json'],
      goings: here,
      wanted: [{ title: 'One', editions: [{ file: one.md5, cover: cover.md5 }] }],
    },
    {
      name: 'batch',
      command: ['publications', 'upload', one.path, two.path, three.path, '--json'],
      goings: here,
      wanted: [
        { title: 'One', editions: [{ file: one.md5 }] },
        withTwo,
        { title: 'Three', editions: [{ file: three.md5 }] },
      ],
    },
    {
      name: 'edition',
      before: [['publications', 'upload', one.path]],
      command: ['editions', 'upload', '{publication}', newer.path, '--json'],
      goings: here,
      wanted: [{ title: 'One', editions: [{ file: one.md5 }, { file: newer.md5 }] }],
    },
    {
      name: 'skip existing',
      before: [knowsHashes],
      command: ['publications', 'upload', two.path, '--skip-existing', '--json'],
      goings: ['elsewhere'],
      mayStopElsewhere: true,
      wanted: [withTwo],
    },
    {
      name: 'apply',
      before: [knowsHashes, ['publications', 'upload', one.path], plan('{shared}/plan.ndjson')],
      command: ['catalogue', 'apply', '{shared}/plan.ndjson', '--json'],
      check: ['catalogue', 'plan', sheet.path, '--detailed-exitcode'],
      goings: ['resume', 'a day later', 'elsewhere'],
      mayStopElsewhere: true,
      wanted: [{ title: 'One', editions: [{ file: one.md5 }] }, withTwo],
    },
  ]
}
