import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import '../support/machine/plain-snapshots.ts'
import { isSlow } from '../support/machine/slow.ts'

const header = 'file,title,author,isbn,description'
const names = ['alpha', 'beta', 'gamma'] as const

/** A service with three books, and a sheet that wants another description of one and another author of the next. */
async function scene() {
  const made = catalogue()
  const { write, book, upload, run, folder, home, sheet } = made
  const row = (at: number, author: string, description: string) =>
    `${names[at]}.epub,${names[at]},${author},${isbns[at]},${description}`
  for (const name of names) book(`${name}.epub`, bookOf(name))
  write(header, row(0, 'Ann', 'First'), row(1, 'Ann', 'First'), row(2, 'Ann', ''))
  await upload()
  write(header, row(0, 'Ann', 'Second'), row(1, 'Bob', 'First'), row(2, 'Ann', 'New'))
  const [file, accepted] = [join(home, 'plan.ndjson'), join(home, 'accepted.ndjson')]
  const json = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--json'])
    const errors = err
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    return { code, list: out === '' ? [] : JSON.parse(out), errors }
  }
  const publication = async (isbn: string) => {
    const { list } = await json(
      'publications',
      'list',
      '--search',
      names[isbns.indexOf(isbn as never)] as string,
    )
    return (await json('publications', 'get', list[0].publicationId)).list
  }
  const plan = (...args: string[]) => json('catalogue', 'plan', sheet, ...args)
  return { ...made, file, accepted, json, row, publication, plan, folder }
}

const messagesOf = (errors: { warning?: { message: string }; error?: { message: string } }[]) =>
  errors.map(({ warning, error }) => (warning ?? error)?.message)

describe('choosing steps', () => {
  it('takes books by ISBN, publication and file, says what is left out, and refuses what is not there', async () => {
    const { plan, file, json, folder } = await scene()
    const keys = (list: { key: string }[]) => list.map(({ key }) => key)
    const only = await plan(
      '--only',
      '978-3-16-148410-0',
      '--only',
      join(folder, 'gamma.epub'),
      '--out',
      file,
    )
    expect(keys(only.list)).toEqual([isbns[0], isbns[2]])
    expect(messagesOf(only.errors)).toContain('steps are left out by --only: 1 blocked')
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] as string).counts).toEqual({ update: 2 })

    const [update] = only.list
    const excluded = await plan('--exclude', update.publicationId, '--action', 'update')
    expect(keys(excluded.list)).toEqual([isbns[2]])
    expect(messagesOf(excluded.errors)).toContain(
      'steps are left out by --exclude and --action: 1 update, 1 blocked',
    )
    for (const args of [
      ['plan', 'books.csv', '--only', 'gamma.pdf'],
      ['apply', file, '--exclude', isbns[1]],
    ]) {
      const [verb, source, flag, name] = args as [string, string, string, string]
      const refused =
        verb === 'plan' ? await plan(flag, name) : await json('catalogue', verb, source, flag, name)
      expect({ code: refused.code, list: refused.list }).toEqual({ code: 2, list: [] })
      expect(messagesOf(refused.errors).at(-1)).toBe(`${flag} ${name}: no step of the plan is about it`)
    }
    expect((await plan('--action', 'delete')).code).toBe(2)

    const applied = await json('catalogue', 'apply', file, '--only', 'gamma.epub')
    expect(applied).toMatchObject({ code: 0, list: [{ key: isbns[2], outcome: 'updated' }] })
    expect(messagesOf(applied.errors)).toEqual(['steps are left out by --only: 1 update'])
  })

  it('stops where more would change than is allowed, and says what to do', async () => {
    const { plan, file, json, sheet } = await scene()
    const refused = await plan('--out', file, '--max-changes', '50%', '--detailed-exitcode')
    expect({ code: refused.code, steps: refused.list.length, isWritten: existsSync(file) }).toEqual({
      ...{ code: 2, steps: 3, isWritten: false },
    })
    expect(refused.errors.at(-1)).toMatchObject({
      error: {
        code: 'too_many_changes',
        message:
          'the plan would make 2 changes, and --max-changes allows 1 (50% of the 3 books in it that the service has)',
        hint: expect.stringContaining('--files'),
      },
    })
    expect((await plan('--out', file, '--max-changes', '67%')).code).toBe(0)
    const apply = (...args: string[]) => json('catalogue', 'apply', file, '--max-changes', ...args)
    expect(await apply('1')).toMatchObject({ code: 2, list: [] })
    expect(await apply('33.4%', '--only', isbns[0])).toMatchObject({
      code: 0,
      list: [{ outcome: 'updated' }],
    })
    for (const text of ['ten', '-1', '101%', '1.5', ''])
      expect(messagesOf((await plan('--max-changes', text)).errors).at(-1)).toContain(
        `"${text}" is neither a number nor a percentage`,
      )
    expect(sheet).toBeTruthy()
  })
})

it('asks at a terminal before it changes anything, and not in a script', async () => {
  const { plan, file, sandbox, publication } = await scene()
  await plan('--out', file)
  const at = (verb: string, key: string, ...args: string[]) =>
    sandbox(['catalogue', verb, file, ...args], {
      columns: 80,
      answers: [[/Carry out 2 updates\?/, `${key}\r`]],
    })
  const no = await at('apply', 'n')
  expect({ code: no.code, description: (await publication(isbns[0])).description }).toEqual({
    ...{ code: 2, description: 'First' },
  })
  expect(no.err).toContain('nothing was changed')
  expect((await at('apply', 'y')).code).toBe(0)
  const undone = await sandbox(['catalogue', 'revert', file, '--yes'], { columns: 80 })
  expect({ code: undone.code, asks: undone.err.includes('Undo') }).toEqual({ code: 0, asks: false })
  expect((await publication(isbns[0])).description).toBe('First')
})

it.runIf(isSlow)('keeps a difference as known until its values change', async () => {
  const { plan, file, accepted, json, write, row } = await scene()
  await plan('--out', file)
  const accept = (...args: string[]) => json('catalogue', 'accept', file, '--accepted', accepted, ...args)
  expect(await accept()).toMatchObject({ code: 2, list: [] })
  expect((await accept('--only', isbns[1], '--dry-run')).list).toMatchObject([{ method: 'WRITE' }])
  expect(existsSync(accepted)).toBe(false)
  expect((await accept('--only', isbns[1])).list).toMatchObject([
    { key: isbns[1], title: 'beta', field: 'author', there: ['Ann'], wanted: ['Bob'] },
  ])
  // What is known already is not accepted again.
  expect((await accept('--only', isbns[1])).list).toEqual([])
  const lines = readFileSync(accepted, 'utf8').trim().split('\n')
  expect(lines.map(line => Object.keys(JSON.parse(line)))).toEqual([
    ['key', 'title', 'publicationId', 'field', 'there', 'wanted'],
  ])

  const check = (...args: string[]) => plan('--accepted', accepted, '--detailed-exitcode', ...args)
  const actions = async (...args: string[]) => {
    const { code, list } = await check(...args)
    return [code, ...list.map(({ action }: { action: string }) => action)]
  }
  expect(await actions()).toEqual([14, 'update', 'skip', 'update'])
  expect(await actions('--only', isbns[1])).toEqual([0, 'skip'])
  expect((await check()).list[1].why).toContain('and another author, which is accepted')
  // A difference of another field of the same book is news, and carried out.
  write(header, row(0, 'Ann', 'First'), row(1, 'Bob', 'Other'), row(2, 'Ann', ''))
  expect(await actions()).toEqual([14, 'skip', 'update', 'skip'])
  // And so is another value of the same field.
  write(header, row(0, 'Ann', 'First'), row(1, 'Cid', 'First'), row(2, 'Ann', ''))
  expect(await actions()).toEqual([14, 'skip', 'blocked', 'skip'])
  await plan('--out', file)
  await accept('--action', 'blocked')
  expect(await actions()).toEqual([0, 'skip', 'skip', 'skip'])
  expect(readFileSync(accepted, 'utf8')).not.toContain('Bob')

  writeFileSync(accepted, '\n{"key":null}\n')
  const { code, errors } = await check()
  expect({ code, error: errors.at(-1).error.code }).toEqual({ code: 2, error: 'bad_accepted' })
  expect(messagesOf(errors).at(-1)).toContain('line 2')
  expect((await plan('--accepted', `${accepted}.none`)).errors.at(-1).error.code).toBe('file_unreadable')
  expect((await json('catalogue', 'accept', file, '--only', isbns[0])).errors.at(-1).error.code).toBe(
    'not_in_plan',
  )
})

it('undoes updates, and leaves and names what changed since', async () => {
  const { plan, file, json, publication, run, home } = await scene()
  await plan('--out', file)
  const receipts = join(home, 'receipts.json')
  expect(await json('catalogue', 'revert', file)).toMatchObject({
    code: 0,
    list: [{ outcome: 'skipped' }, { outcome: 'skipped' }],
  })
  await json('catalogue', 'apply', file)
  const { id } = await publication(isbns[0])
  await run(['publications', 'update', id, '--description', 'By hand'])
  const dry = await json('catalogue', 'revert', file, '--dry-run')
  expect(dry.code).toBe(10)
  expect(
    dry.list.map(({ action, requests }: { action: string; requests: { body: object }[] }) => [
      action,
      requests,
    ]),
  ).toEqual([
    ['stale', []],
    ['update', [expect.objectContaining({ method: 'PATCH', body: { description: '' } })]],
  ])
  const { code, list } = await json('catalogue', 'revert', file, '--report', receipts)
  expect(code).toBe(10)
  expect(list).toMatchObject([
    {
      outcome: 'stale',
      error: {
        message: expect.stringContaining(`the description of ${id} changed after the plan was carried out`),
        hint: expect.stringContaining(`pubctl publications update ${id}`),
      },
    },
    { outcome: 'updated', key: isbns[2] },
  ])
  expect(JSON.parse(readFileSync(receipts, 'utf8'))).toHaveLength(2)
  expect((await publication(isbns[0])).description).toBe('By hand')
  expect((await publication(isbns[2])).description ?? '').toBe('')
  expect(await json('catalogue', 'revert', file, '--only', isbns[2])).toMatchObject({
    code: 0,
    list: [{ outcome: 'skipped', why: expect.stringContaining('former values already') }],
  })
})
