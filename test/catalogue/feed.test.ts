import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import { bookOf } from '../support/catalogues/catalogue.ts'
import { composite, identifier, message, record, title } from '../support/catalogues/onix.ts'
import { machine } from '../support/machine/pubctl.ts'

const isbns = ['9783161484100', '9780306406157', '9780198526636', '9780007232833', '9780007324378'] as const

/** A machine with messages of a publisher and a folder of books, and what plans of them say, by record. */
function publisher() {
  const { sandbox, home } = machine()
  const books = join(home, 'books')
  mkdirSync(books)
  for (const isbn of isbns) writeFileSync(join(books, `${isbn}.epub`), bookOf(isbn))
  const send = (name: string, time: string, ...records: string[]) => {
    const path = join(home, name)
    writeFileSync(path, message(...records).replace('>20260807<', `>${time}<`))
    return path
  }
  const plan = async (...args: string[]) => {
    const { code, out, err } = await sandbox(['catalogue', 'plan', ...args, '--files', books, '--json'])
    const steps: PlanStep[] = out === '' ? [] : JSON.parse(out)
    const said = steps.map(step => [step.from && 'record' in step.from && step.from.record, step])
    return { code, err, steps, by: Object.fromEntries(said) as Record<string, PlanStep> }
  }
  return { sandbox, home, send, plan }
}

/** A record of the book with the ISBN of this number; `b0` and so on are their references. */
const book = (at: number, notification: string, more: Parameters<typeof record>[0] = {}) =>
  record({
    ...{ reference: `b${at}`, notification, identifiers: identifier('15', isbns[at] as string) },
    title: title({ TitleText: `Book ${at}` }),
    ...more,
  })

const text = (words: string) => composite('TextContent', { TextType: '03', Text: words })
const partial = { form: '', title: '' }
const status = (code: string) => `<PublishingStatus>${code}</PublishingStatus>`

describe('a feed of ONIX messages', () => {
  it('is what the later records say, in whatever order the messages are named', async () => {
    const { sandbox, home, send, plan } = publisher()
    const full = send(
      'full.xml',
      '20260801T1200+0200',
      ...[0, 1, 2].map(at => book(at, '03', { collateral: text('Old.') })),
      book(3, '03', { form: '<ProductForm>BC</ProductForm>' }),
    )
    const delta = send(
      'delta.xml',
      '20260807',
      book(0, '04', { ...partial, collateral: text('New.') }),
      book(1, '05', partial),
      book(2, '03', { title: title({ TitleText: 'Another' }) }),
      book(3, '04', { ...partial, collateral: text('New.') }),
      book(4, '04', { ...partial, collateral: text('New.') }),
    )
    const both = [
      { action: 'create', title: 'Book 0', send: { description: 'New.' } },
      { action: 'ignored', title: 'Book 1', why: 'it was withdrawn, and it is not at the service' },
      { action: 'create', title: 'Another', send: expect.not.objectContaining({ description: 'Old.' }) },
      { action: 'ignored', title: 'Book 3', why: expect.stringContaining('its form BC') },
      {
        action: 'ignored',
        key: isbns[4],
        why: expect.stringMatching(/partial update \(04\), and the book is not/),
      },
    ]
    for (const sources of [
      [full, delta],
      [delta, full],
    ]) {
      const { code, by } = await plan(...sources)
      expect({ code, steps: [0, 1, 2, 3, 4].map(at => by[`b${at}`]) }).toMatchObject({ code: 0, steps: both })
      expect(Object.keys(by)).toHaveLength(5)
    }
    const { err } = await sandbox(['catalogue', 'plan', full, delta])
    expect(err).toContain('4 records are replaced or amended by later ones.\n')
    const out = join(home, 'plan.ndjson')
    await plan(full, '--out', out)
    expect((await sandbox(['catalogue', 'apply', out])).code).toBe(0)
    const { by } = await plan(delta, full)
    expect([0, 1, 2].map(at => by[`b${at}`]?.action)).toEqual(['update', 'withdrawn', 'blocked'])
  })

  it.each<[string, readonly string[], object]>([
    [
      'the same record twice',
      [book(0, '03'), book(0, '03', { title: title({ TitleText: 'Late' }) })],
      { action: 'create', title: 'Late' },
    ],
    [
      '03, 04 and 05',
      [book(0, '03'), book(0, '04', partial), book(0, '05', partial)],
      { action: 'ignored', title: 'Book 0' },
    ],
    ['05 and 03', [book(0, '05', partial), book(0, '03')], { action: 'create' }],
    ['05 and 04', [book(0, '05', partial), book(0, '04', partial)], { action: 'ignored' }],
    ['01 and 03', [book(0, '01'), book(0, '03')], { action: 'create' }],
    ['a broken one and 03', [book(0, '03', { title: '' }), book(0, '03')], { action: 'create' }],
    [
      'out of print, and 04',
      [book(0, '03', { publishing: status('07') }), book(0, '04', partial)],
      { action: 'ignored', why: expect.stringContaining('out of print') },
    ],
    [
      'out of print, and active again',
      [book(0, '03', { publishing: status('07') }), book(0, '04', { ...partial, publishing: status('04') })],
      { action: 'create' },
    ],
    [
      'active, and out of print',
      [book(0, '03', { publishing: status('04') }), book(0, '04', { ...partial, publishing: status('07') })],
      { action: 'ignored', why: expect.stringContaining('out of print') },
    ],
  ])('of one message has one step for %s', async (_, records, step) => {
    const { send, plan } = publisher()
    expect(await plan(send('feed.xml', '20260807', ...records))).toMatchObject({ code: 0, steps: [step] })
  })

  it('keeps what two senders give the same reference, and what stays broken', async () => {
    const { send, plan } = publisher()
    const one = send('one.xml', '20260801', book(0, '03'), book(2, '03'))
    const two = send('two.xml', '20260807', book(1, '03', { reference: 'b0' }), book(2, '03', { title: '' }))
    const { code, steps } = await plan(one, two)
    expect(code).toBe(10)
    expect(steps.map(({ action, title }) => `${action} ${title}`).sort()).toEqual([
      ...['broken null', 'create Book 0', 'create Book 1', 'create Book 2'],
    ])
  })
})
