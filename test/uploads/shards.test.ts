import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bookOf } from '../support/catalogues/catalogue.ts'
import { readReport } from '../support/catalogues/shards.ts'
import { startBin } from '../support/machine/bin.ts'
import { isFull } from '../support/machine/full.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const total = isFull ? 7 : 3
const shards = Array.from({ length: total }, (_, index) => `${index + 1}/${total}`)

/** An ISBN with the right check digit. */
function isbn(number: number): string {
  const digits = `978${String(number).padStart(9, '0')}`
  const sum = [...digits].reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return digits + ((10 - (sum % 10)) % 10)
}

it('a shard of one book is told as a list', async () => {
  const { sandbox, home } = machine()
  const book = join(home, 'book.epub')
  writeFileSync(book, bookOf('Alone'))
  const { out } = await sandbox(['publications', 'upload', book, '--shard', '1/1', '--json'])
  expect(JSON.parse(out)).toMatchObject([{ outcome: 'uploaded' }])
})

/** A service in a process of its own, and a publisher whose machines run one process for each shard. */
async function publisher(books: number) {
  const { baseUrl, key } = await startServer(temporaryFolder(), ['--processing-delay', '1ms'])
  const folder = temporaryFolder()
  const path = (name: string) => join(folder, name)
  const rows = Array.from({ length: books }, (_, index) => index + 1)
  for (const index of rows) writeFileSync(path(`${index}.epub`), bookOf(`Book ${index}`, `Text ${index}.`))
  const sheet = path('books.csv')
  writeFileSync(
    sheet,
    ['file,title,isbn', ...rows.map(index => `${index}.epub,Book ${index},${isbn(index)}`)].join('\n'),
  )
  const env = { HOME: temporaryFolder(), PUBCTL_API_KEY: key, PUBCTL_BASE_URL: baseUrl }
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    startBin(args, { ...env, ...more })
  const titles = async (): Promise<string[]> => {
    const { stdout } = await run(['publications', 'list', '--all', '--json'])
    return JSON.parse(stdout)
      .map(({ title }: { title: string }) => title)
      .sort()
  }
  /** One process for each shard, at the same time; on one machine, or each on its own. */
  const runAll = (args: readonly string[], isOneMachine: boolean) =>
    Promise.all(
      shards.map(async (shard, index) => {
        const report = path(`receipts-${index + 1}.ndjson`)
        const home = isOneMachine ? {} : { HOME: temporaryFolder() }
        const result = await run(
          [...args, '--shard', shard, '--report', report, '--concurrency', '2', '--json'],
          home,
        )
        expect({ code: result.exitCode, err: result.stderr }).toEqual({ code: 0, err: '' })
        return report
      }),
    )
  const expected = rows.map(index => `Book ${index}`).sort()
  return { path, sheet, run, runAll, titles, expected, isbns: rows.map(isbn) }
}

const commands = [
  ['catalogue apply', true],
  ['catalogue apply', false],
  ['publications upload', true],
] as const

describe.runIf(isSlow || isFull).each(commands)(
  `%s in ${total} shards at once (on one machine: %s)`,
  (command, isOneMachine) => {
    it('uploads each book once, and the merged receipts say what is missing and when it is complete', async () => {
      const { path, sheet, run, runAll, titles, expected, isbns } = await publisher(isFull ? 1000 : 20)
      const plan = path('plan.ndjson')
      const source = command === 'catalogue apply' ? [plan] : ['--manifest', sheet]
      if (command === 'catalogue apply')
        expect(await run(['catalogue', 'plan', sheet, '--out', plan])).toMatchObject({ exitCode: 0 })
      const reports = await runAll([...command.split(' '), ...source], isOneMachine)
      expect(await titles()).toEqual(expected)

      const all = path('all.ndjson')
      const merge = (paths: readonly string[]) =>
        run(['receipts', 'merge', ...paths, '--out', all, '--yes', '--json'])
      const absent = readReport(reports[2] as string).receipts.map(({ row }) => isbns[row - 1])
      const partly = await merge(reports.filter((_, index) => index !== 2))
      expect(partly.exitCode).toBe(10)
      expect(JSON.parse(partly.stdout).map(({ key }: { key: string }) => key)).toEqual(absent)
      expect(JSON.parse(partly.stderr).error.details).toMatchObject([{ path: [`shard 3/${total}`] }])

      expect(await merge(reports)).toMatchObject({ exitCode: 0, stdout: '[]', stderr: '' })
      const { receipts } = readReport(all)
      expect(receipts.map(({ outcome }) => outcome)).toEqual(isbns.map(() => 'uploaded'))
      expect(new Set(receipts.map(({ publicationId }) => publicationId)).size).toBe(isbns.length)

      // The same again, as after a lost machine, uploads nothing.
      if (command === 'catalogue apply') {
        await runAll(['catalogue', 'apply', plan], isOneMachine)
        expect(await titles()).toEqual(expected)
        expect(await merge([...reports])).toMatchObject({ exitCode: 0 })
        expect(readReport(all).receipts.every(({ outcome }) => outcome === 'skipped')).toBe(true)
      }
    }, 600_000)
  },
)

describe('a shard of a folder', () => {
  /** A service and books in a folder, on as many machines as wanted. */
  async function service(names: readonly string[]) {
    const { baseUrl, key } = await sandbox()
    const env = { PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl }
    const station = () => {
      const { run, home } = machine(env)
      const books = join(home, 'books')
      for (const name of names) {
        mkdirSync(dirname(join(books, name)), { recursive: true })
        writeFileSync(join(books, name), bookOf(name))
      }
      const upload = async (shard: string, ...more: string[]) => {
        const args = ['publications', 'upload', books, '--recursive', '--shard', shard, ...more]
        const { code, out, err } = await run([...args, '--json'])
        const receipts: { file: string; outcome: string }[] = out === '' ? [] : JSON.parse(out)
        return { code, err, files: receipts.map(({ file }) => relative(books, file).replaceAll('\\', '/')) }
      }
      return { run, home, books, upload, env }
    }
    return station
  }

  const names = ['a.epub', 'b.epub', 'deep/a.epub', 'deep/b.epub', 'deep/er/Ä.epub', 'z.epub']

  it('is the same on every machine, wherever the folder is', async () => {
    const station = await service(names)
    const first = station()
    const files = []
    for (const shard of ['1/2', '2/2']) {
      const planned = await station().upload(shard, '--dry-run')
      expect(planned).toMatchObject({ code: 0, err: '' })
      const { code, files: sent } = await first.upload(shard)
      expect({ code, sent }).toEqual({ code: 0, sent: planned.files })
      files.push(...sent)
    }
    expect(files.sort()).toEqual([...names].sort())
  })

  it('stays what it is when a book is added', async () => {
    const station = await service(names)
    const { upload, books } = station()
    const before = (await upload('1/3', '--dry-run')).files
    copyFileSync(join(books, 'a.epub'), join(books, 'aa.epub'))
    expect((await upload('1/3', '--dry-run')).files.filter(file => file !== 'aa.epub')).toEqual(before)
  })

  it('can be empty, which its report says', async () => {
    const station = await service(['a.epub'])
    const { run, books, home } = station()
    const report = join(home, 'receipts.ndjson')
    const codes = []
    for (const index of [1, 2]) {
      const { code } = await run(
        ['publications', 'upload', books, '--shard', 'auto', '--report', `${report}-${index}.ndjson`],
        { env: { CI_NODE_INDEX: `${index}`, CI_NODE_TOTAL: '2' } },
      )
      codes.push(code)
    }
    expect(codes).toEqual([0, 0])
    const counts = [1, 2].map(index => readReport(`${report}-${index}.ndjson`).receipts.length)
    expect(counts.sort()).toEqual([0, 1])
  })

  it('leaves what failed in a sheet of its own, and its only book is one of a batch', async () => {
    const station = await service(names)
    const { run, books, home } = station()
    for (const name of names) writeFileSync(join(books, name), 'no book')
    const codes = []
    for (const index of [1, 2, 3, 4, 5, 6]) {
      const report = ['--report', join(home, `receipts-${index}.json`)]
      const { code } = await run([
        'publications',
        'upload',
        books,
        '--recursive',
        '--shard',
        `${index}/6`,
        ...report,
      ])
      codes.push(code)
    }
    const reports = [1, 2, 3, 4, 5, 6].map(index => join(home, `receipts-${index}.json`))
    const { code, out } = await run([
      'receipts',
      'merge',
      ...reports,
      '--out',
      join(home, 'all.csv'),
      '--json',
    ])
    const failed: { row: number; shard: string }[] = JSON.parse(out)
    expect(code).toBe(10)
    expect(failed.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6])
    const withBooks = new Set(failed.map(({ shard }) => Number(shard[0])))
    expect(codes).toEqual([1, 2, 3, 4, 5, 6].map(index => (withBooks.has(index) ? 10 : 0)))
    for (const index of withBooks) rmSync(join(home, `failed-${index}-of-6.csv`))
  })
})
