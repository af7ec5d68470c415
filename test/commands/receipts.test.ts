import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Report, readReport, reportOf, reportText, writeReport } from '../support/catalogues/shards.ts'
import { machine } from '../support/machine/pubctl.ts'

const keys = ['one.epub', 'two.epub', 'three.epub', 'four.epub', 'five.epub', 'six.epub']
const failed = { outcome: 'failed', error: { code: 'network', message: 'the connection was lost' } } as const

/** A machine with a folder for reports. */
function desk() {
  const { run, home } = machine()
  const path = (name: string) => join(home, name)
  const out = path('all.ndjson')
  let count = 0
  const write = (report: Report) => writeReport(path(`receipts-${++count}.ndjson`), report)
  const merge = async (paths: readonly string[], ...more: string[]) => {
    const {
      code,
      out: shown,
      err,
    } = await run(['receipts', 'merge', ...paths, '--out', out, '--json', ...more])
    const error = err === '' ? undefined : JSON.parse(err).error
    return { code, error, left: shown === '' ? undefined : JSON.parse(shown) }
  }
  const three = () => [1, 2, 3].map(index => reportOf(keys, index, 3))
  return { run, path, out, write, merge, three }
}

describe('pubctl receipts merge', () => {
  it('writes the receipts of all shards in the order of the sources', async () => {
    const { three, write, merge, out } = desk()
    const paths = three().reverse().map(write)
    expect(await merge(paths)).toEqual({ code: 0, error: undefined, left: [] })
    const { head, receipts } = readReport(out)
    expect(head).toMatchObject({ shards: [1, 2, 3], total: 3, keys, receipts: 6 })
    expect(receipts.map(({ file }) => file)).toEqual(keys)
  })

  it('names what no shard has done', async () => {
    const { three, write, merge, out } = desk()
    const [one, two, three_] = three() as [Report, Report, Report]
    const lacking = two.receipts.map(({ file }) => file)
    expect(lacking.length).toBeGreaterThan(0)
    const paths = [one, three_].map(write)
    const { code, error, left } = await merge(paths)
    expect(code).toBe(10)
    expect(error).toMatchObject({
      code: 'shards_missing',
      message: `no shard has done ${lacking.length} of 6`,
      details: [
        {
          path: ['shard 2/3'],
          code: 'no_receipt',
          message: `shard 2/3 has left no receipts of its ${lacking.length}`,
          hint: 'Run it again: the same command with --shard 2/3.',
        },
      ],
    })
    expect(left.map(({ key, shard }: { key: string; shard: string }) => [key, shard])).toEqual(
      lacking.map(key => [key, '2/3']),
    )
    // What was merged can be merged with the shard that was missing.
    const again = await merge([out, write(two)], '--out', `${out}.json`)
    expect(again).toEqual({ code: 0, error: undefined, left: [] })
    expect(JSON.parse(readFileSync(`${out}.json`, 'utf8'))).toMatchObject({
      shards: [1, 2, 3],
      receipts: keys.map(file => ({ file, outcome: 'uploaded' })),
    })
    expect(await merge([`${out}.json`], '--yes')).toMatchObject({ code: 0, left: [] })
  })

  it('takes what an earlier version did not write for unknown', async () => {
    const { write, merge, path } = desk()
    const report = reportOf(keys.slice(0, 1), 1, 1)
    for (const receipt of report.receipts)
      for (const name of ['title', 'author']) delete (receipt as unknown as Record<string, unknown>)[name]
    const file = write(report)
    for (const ending of ['html', 'csv', 'xml', 'json'])
      expect(await merge([file], '--out', path(`all.${ending}`))).toMatchObject({ code: 0, left: [] })
    expect(readFileSync(path('all.html'), 'utf8')).toMatch(/one\.epub/)
    expect(readFileSync(path('all.html'), 'utf8')).not.toMatch(/undefined/)
  })

  it('misses no report of a shard that has no books', async () => {
    const { write, merge } = desk()
    const [one = ''] = keys
    const paths = [1, 2, 3]
      .map(index => reportOf([one], index, 3))
      .filter(({ receipts }) => receipts.length > 0)
    expect(paths).toHaveLength(1)
    expect(await merge(paths.map(write))).toMatchObject({ code: 0, left: [] })
    const empty = [1, 2, 3]
      .map(index => reportOf([one], index, 3))
      .filter(({ receipts }) => receipts.length === 0)
    expect(await merge(empty.map(write), '--yes')).toMatchObject({ code: 10, left: [{ key: one }] })
  })

  it('ends with exit code 10 when a book failed, and shows which', async () => {
    const { three, write, merge } = desk()
    const [one, ...others] = three() as [Report, ...Report[]]
    Object.assign(one.receipts[0] as object, failed)
    const { code, error, left } = await merge([one, ...others].map(write))
    const { file } = one.receipts[0] ?? {}
    expect({ code, error, left }).toMatchObject({
      code: 10,
      error: { code: 'part_failed', message: '1 of 6 failed', details: [{ path: [file], code: 'network' }] },
      left: [{ file, outcome: 'failed' }],
    })
  })

  it('shows the steps of a plan that are left to people, without failing', async () => {
    const { write, merge } = desk()
    const head = { planId: '4b6aa668-6336-4631-b0cc-77d59186b759' }
    const receipt = (key: string) =>
      key === 'two.epub'
        ? { outcome: 'conflict' as const, error: { code: 'blocked', message: 'a title' } }
        : {}
    const paths = [1, 2].map(index => write(reportOf(keys, index, 2, { head, receipt })))
    expect(await merge(paths)).toMatchObject({ code: 0, left: [{ file: 'two.epub', outcome: 'conflict' }] })
  })
})

describe('a shard that was run twice', () => {
  const earlier = '2026-11-22T10:00:00.000Z'
  const later = '2026-11-22T11:00:00.000Z'
  const unbegun = { outcome: 'failed', error: { code: 'not_begun', message: 'was not begun' } } as const
  const skipped = { outcome: 'skipped', why: 'it was uploaded before' } as const
  const uploaded = { outcome: 'uploaded' } as const

  it.each([
    ['uploaded after it failed', failed, uploaded, 'uploaded'],
    ['skipped after it failed', failed, skipped, 'skipped'],
    ['failed after it was uploaded', uploaded, failed, 'failed'],
    ['skipped after it was uploaded', uploaded, skipped, 'uploaded'],
    ['not begun after it was uploaded', uploaded, unbegun, 'uploaded'],
    ['not begun after it failed', failed, unbegun, 'network'],
    ['failed after it was not begun', unbegun, failed, 'network'],
  ])('counts as it should for a book that was %s', async (_, first, second, expected) => {
    const { write, merge, out } = desk()
    const one = reportOf(['one.epub'], 1, 1, { head: { ended: earlier }, receipt: () => first })
    const two = reportOf(['one.epub'], 1, 1, { head: { ended: later }, receipt: () => second })
    // The order in which they are named does not matter.
    for (const paths of [
      [one, two],
      [two, one],
    ].map(each => each.map(write))) {
      await merge(paths, '--yes')
      const [receipt] = readReport(out).receipts
      expect([receipt?.outcome, receipt?.error?.code]).toContain(expected)
      expect(receipt?.error).toEqual(expected === 'network' || expected === 'failed' ? failed.error : null)
    }
  })
})

describe('receipts that cannot be merged', () => {
  it.each<[string, Parameters<typeof reportOf>, RegExp]>([
    [
      'another plan',
      [keys, 2, 2, { head: { planId: '4b6aa668-6336-4631-b0cc-77d59186b759' } }],
      /plans none and 4b6/,
    ],
    ['another service', [keys, 2, 2, { head: { baseUrl: 'https://other.example' } }], /services/],
    ['another scope', [keys, 2, 2, { head: { scopeId: 'scope_2' } }], /scopes scope_1 and scope_2/],
    ['another number of shards', [keys, 2, 3], /numbers of shards are 2 and 3/],
    ['more books', [[...keys, 'seven.epub'], 2, 2], /numbers of books are 6 and 7/],
    [
      'other books',
      [[...keys.slice(1), 'seven.epub'], 2, 2],
      /different books, such as one.epub and two.epub/,
    ],
  ])('of %s are refused, and nothing is written', async (_, other, message) => {
    const { write, merge, out } = desk()
    const { code, error, left } = await merge([write(reportOf(keys, 1, 2)), write(reportOf(...other))])
    expect({ code, left, written: existsSync(out) }).toEqual({ code: 2, left: undefined, written: false })
    expect(error).toMatchObject({ code: 'mixed_receipts', message: expect.stringMatching(message) })
  })

  const report = reportOf(keys, 1, 2)
  const lines = reportText(report).trimEnd().split('\n')
  const [head = '', first = ''] = lines
  const withFirst = (change: object) =>
    [head, JSON.stringify({ ...JSON.parse(first), ...change }), ...lines.slice(2)].join('\n')
  it.each([
    ['is empty', '', /not the report of a shard/],
    ['is no JSON', 'file,outcome\n', /not the report of a shard/],
    ['is the report of a batch that was not divided', `${first}\n`, /not the report of a shard/],
    ['lacks its last line', lines.slice(0, -1).join('\n'), /has \d of \d receipts/],
    ['ends within a line', lines.join('\n').slice(0, -20), /is damaged: line \d: it is not JSON/],
    ['has a receipt twice', [...lines.slice(0, -1), first].join('\n'), /row \d is there twice/],
    ['has a receipt of no row', withFirst({ row: 9 }), /there is no row 9/],
    ['has a receipt of another shard', withFirst({ shard: '2/2' }), /does not belong to shard 2\/2/],
    ['has an unknown outcome', withFirst({ outcome: 'sold' }), /line 2: outcome/],
    [
      'has details that are none',
      withFirst({ error: { code: 'x', message: 'y', details: 5 } }),
      /line 2: error/,
    ],
    ['has no keys that are texts', lines.join('\n').replace('"keys":[', '"keys":[1,'), /keys\.0/],
  ])('because a file %s are refused', async (_, text, message) => {
    const { path, merge, out } = desk()
    writeFileSync(path('bad.ndjson'), text)
    const { code, error } = await merge([path('bad.ndjson')])
    expect({ code, written: existsSync(out) }).toEqual({ code: 2, written: false })
    expect(error).toMatchObject({ code: 'bad_receipts', message: expect.stringMatching(message) })
  })

  it('are not written over one of them, nor over another file without being told', async () => {
    const { three, write, merge, out } = desk()
    const paths = three().map(write)
    const [first = ''] = paths
    expect(await merge(paths, '--out', first)).toMatchObject({ code: 2, error: { code: 'usage' } })
    writeFileSync(out, 'mine')
    expect(await merge(paths)).toMatchObject({ code: 9, error: { hint: 'Pass --yes.' } })
    expect(readFileSync(out, 'utf8')).toBe('mine')
    expect(await merge(paths, '--dry-run')).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toBe('mine')
    expect(await merge(paths, '--yes')).toMatchObject({ code: 0 })
  })
})
