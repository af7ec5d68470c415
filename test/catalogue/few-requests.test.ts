import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanHeader } from '../../src/plan/plan-step.ts'
import { realWorld } from '../../src/system/world.ts'
import { bookOf, catalogue } from '../support/catalogues/catalogue.ts'
import { isSlow } from '../support/machine/slow.ts'
import { isbnOf, listedService } from '../support/servers/listed-service.ts'

const header = 'title,isbn,description'
const row = (number: number, title = `Book ${number}`, about = `What book ${number} is about`) =>
  `${title},${isbnOf(number)},${about}`
const rows = (numbers: readonly number[]) => numbers.map(number => row(number))
const numbersTo = (count: number, step = 1) => Array.from({ length: count }, (_, index) => index * step)

type Options = Parameters<typeof listedService>[0]

/** A service of many publications, and a machine that plans for it. */
async function scene(options: Options) {
  const service = await listedService(options)
  const pc = catalogue(service.env)
  const out = join(pc.folder, 'plan.ndjson')
  const { clock } = realWorld(() => new AbortController().signal)
  /** Plans so many days later, and says how many requests there were besides those of the listing. */
  const plan = async (days = 0, ...args: string[]) => {
    service.requests()
    const now = () => clock.now() + days * 86_400_000
    const { code, err } = await pc.run(['catalogue', 'plan', pc.sheet, '--out', out, '--json', ...args], {
      clock: { ...clock, now },
    })
    const asked = service.log.filter(each => each !== 'GET /v1/publications')
    const of = (start: string) => asked.filter(each => each.startsWith(start)).length
    const requests = {
      all: service.log.length,
      pages: service.log.length - asked.length,
      reads: of('GET /v1/publications/pub_'),
      searches: of('GET /v1/publications search'),
    }
    const [head = '', ...steps] = readFileSync(out, 'utf8').trim().split('\n')
    const warnings = err
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).warning ?? JSON.parse(line))
    return {
      ...{ code, err, requests },
      warnings: new Map(warnings.map(each => [each.code, each])),
      header: JSON.parse(head) as PlanHeader,
      steps: steps.map(line => JSON.parse(line)).filter(({ action }) => action !== 'orphan'),
    }
  }
  return { ...service, ...pc, plan }
}

describe('the first plan against many publications', () => {
  it('reads what its rows mean and a few more, and says that the rest is not read yet', async () => {
    const { write, plan, run } = await scene({ count: 1150 })
    write(header, ...rows(numbersTo(60, 19)))
    const first = await plan()
    expect(first).toMatchObject({ code: 0, header: { counts: { skip: 60 }, notReadYet: 1040, unread: 0 } })
    expect(first.requests).toMatchObject({ pages: 23, reads: 110, searches: 0 })
    expect(first.warnings.get('publications_not_read_yet')).toEqual({
      code: 'publications_not_read_yet',
      message:
        '1040 of the 1150 publications at the service are not read yet, because no book of the sheets and messages can be one of them by its ISBN, title or content; which of them are in no sheet or message is not known',
      hint: 'Later plans read more of them. To read all of them now: pubctl catalogue index --refresh',
    })
    // What was read and is in no row is known to be in no source.
    const orphans = await plan(0, '--orphans')
    expect(orphans.header).toMatchObject({ counts: { skip: 60, orphan: 100 }, notReadYet: 990 })
    expect(JSON.parse((await run(['catalogue', 'index', '--json'])).out)).toMatchObject([
      { publications: 1150, notReadYet: 990, unread: 0 },
    ])
  })

  it.runIf(isSlow)('reads all of a few, and more of many with each plan as time goes by', async () => {
    const { write, plan } = await scene({ count: 3000 })
    write(header, row(7))
    expect((await plan()).header.notReadYet).toBe(2949)
    // No more than the listing takes.
    expect((await plan(14)).header.notReadYet).toBe(2889)
    const few = await scene({ count: 200 })
    few.write(header, row(7))
    expect((await few.plan(0, '--orphans')).header).toMatchObject({
      counts: { skip: 1, orphan: 199 },
      notReadYet: 0,
    })
  })

  it.runIf(isSlow)('leaves an export and the refreshing of the index to read all that is left', async () => {
    const { write, plan, run, requests } = await scene({ count: 1020 })
    write(header, row(7))
    await plan()
    requests()
    expect((await run(['catalogue', 'export', '--json'])).code).toBe(0)
    expect(requests()).toEqual({ pages: 21, reads: 969 })
    expect((await plan(0, '--orphans')).header).toMatchObject({
      counts: { skip: 1, orphan: 1019 },
      notReadYet: 0,
    })
  })
})

describe('a book that may be one of those not read yet, under another title', () => {
  /** Rows with files: some that are there, one whose title is another now, and two that are new. */
  async function renamed(searches: NonNullable<Options['searches']>) {
    const pc = await scene({ count: 1010, searches })
    for (const name of ['new', 'newer', 'old']) pc.book(`${name}.epub`, bookOf(name))
    pc.write(
      `file,${header}`,
      ...rows([10, 20, 30]).map(each => `,${each}`),
      `old.epub,${row(900, 'A New Name')}`,
      `new.epub,${row(5000, 'New')}`,
      `newer.epub,${row(5001, 'Newer')}`,
    )
    return pc
  }
  const expected = [
    ...[10, 20, 30].map(number => ['skip', `pub_${number}`]),
    ['edition', 'pub_900'],
    ['create', null],
    ['create', null],
  ]
  const found = (steps: readonly { action: string; publicationId: string | null }[]) =>
    steps.map(({ action, publicationId }) => [action === 'conflict' ? 'edition' : action, publicationId])

  it('is found by a search, where the service is known to find ISBNs', async () => {
    const { plan, log } = await renamed('isbns')
    const { steps, requests, header } = await plan()
    expect(found(steps)).toEqual(expected)
    // One for an ISBN that is known to be there, and one for each that is not among what was read.
    expect(requests).toMatchObject({ pages: 21, searches: 4 })
    expect(requests.all).toBeLessThan(110)
    expect(header.notReadYet).toBeGreaterThan(900)
    expect(log.filter(each => each.includes(`search ${isbnOf(5000)}`))).toHaveLength(1)
  })

  it.runIf(isSlow).each(['titles', 'nothing'] as const)(
    'is read with all others, where it searches %s',
    async searches => {
      const { plan } = await renamed(searches)
      const { steps, requests, header } = await plan()
      expect(found(steps)).toEqual(expected)
      expect({ searches: requests.searches, reads: requests.reads, left: header.notReadYet }).toEqual({
        searches: 1,
        reads: 1010,
        left: 0,
      })
    },
  )

  it.runIf(isSlow)('is found for a row that has no file, if others have it read', async () => {
    const { plan, write, book } = await scene({ count: 1010 })
    book('new.epub', bookOf('New'))
    write(`file,${header}`, `,${row(900, 'A New Name')}`, `new.epub,${row(5000, 'New')}`)
    const { steps } = await plan()
    expect(found(steps)).toEqual([
      ['blocked', 'pub_900'],
      ['create', null],
    ])
  })

  it('is looked for before a book is created from a file alone', async () => {
    const { plan, write, changed, book } = await scene({ count: 1010, searches: 'isbns' })
    book('own.epub', bookOf('Its Own Title'))
    write('file', 'own.epub')
    changed.set('pub_900', { title: 'its own title' })
    const { steps, requests } = await plan()
    expect(steps).toMatchObject([{ action: 'create' }])
    expect(requests.all).toBeLessThan(110)
  })

  it.runIf(isSlow)('is read with all others, where more would be searched for than are left', async () => {
    const { plan, write } = await scene({ count: 1010, searches: 'isbns' })
    write('title,isbn', ...numbersTo(600).map(number => `Another ${number},${isbnOf(number)}`))
    const { header, requests } = await plan()
    expect(header).toMatchObject({ counts: { blocked: 600 }, notReadYet: 0 })
    expect(requests.searches).toBeLessThan(520)
  })

  it('is not said to be missing where no file of it would be sent', async () => {
    const { plan, write } = await scene({ count: 1010, searches: 'titles' })
    write(header, row(900, 'A New Name'))
    const { steps, requests } = await plan()
    expect(steps).toMatchObject([
      { action: 'no-file', why: expect.stringContaining('not at the service as far as that has been read') },
    ])
    expect(requests.all).toBeLessThan(110)
  })
})

describe('later plans', () => {
  it.runIf(isSlow)(
    'read again a part of what was read together, so that each record is read within the time',
    async () => {
      const { write, plan } = await scene({ count: 120 })
      write(header, ...rows(numbersTo(120)))
      expect((await plan()).requests.reads).toBe(120)
      expect((await plan()).requests.reads).toBe(0)
      const weekly: number[] = []
      for (const week of [1, 2, 3, 4]) weekly.push((await plan(7 * week)).requests.reads)
      for (const reads of weekly) {
        expect(reads).toBeGreaterThan(15)
        expect(reads).toBeLessThan(50)
      }
      expect(weekly.reduce((sum, each) => sum + each)).toBe(120)
      expect((await plan(28, '--refresh', '0s')).requests.reads).toBe(120)
    },
  )

  it('read a blocked book again only if its edition is another one', async () => {
    const { write, plan, changed } = await scene({ count: 60 })
    write('title,isbn', ...numbersTo(60).map(number => `Another ${number},${isbnOf(number)}`))
    expect((await plan()).header.counts).toEqual({ blocked: 60 })
    expect((await plan()).requests).toMatchObject({ pages: 2, reads: 0 })
    changed.set('pub_3', { editionId: 'ed_3_2', title: 'Another 3' })
    const moved = await plan()
    expect(moved.header.counts).toEqual({ blocked: 59, skip: 1 })
    expect(moved.requests.reads).toBe(1)
    // What a plan would change is read again in any case.
    write(header, row(5, 'Book 5', 'Corrected'))
    expect((await plan()).requests.reads).toBe(1)
  })
})

describe.runIf(isSlow)('a plan against 100,000 publications', () => {
  it('asks 2,200 times at most for 60 rows', { timeout: 600_000 }, async () => {
    const { write, plan, book } = await scene({ count: 100_000, searches: 'isbns' })
    for (const number of numbersTo(30)) book(`${number}.epub`, bookOf(`New ${number}`))
    write(
      `file,${header}`,
      ...rows(numbersTo(30, 3000)).map(each => `,${each}`),
      ...numbersTo(30).map(number => `${number}.epub,${row(200_000 + number, `New ${number}`)}`),
    )
    for (const _ of [1, 2]) {
      const { code, header: head, requests } = await plan()
      expect({ code, counts: head.counts }).toMatchObject({ code: 0, counts: { skip: 30, create: 30 } })
      expect(requests.all).toBeLessThanOrEqual(2200)
    }
  })
})
