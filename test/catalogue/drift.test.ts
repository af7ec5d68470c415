import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import '../support/machine/plain-snapshots.ts'
import { isSlow } from '../support/machine/slow.ts'

const header = 'file,title,author,isbn,language,description'
const rowOf = (name: string, at: number, description: string, more = {}) => {
  const { title = name, language = 'en' } = more as { title?: string; language?: string }
  return `${name}.epub,${title},Ann,${isbns[at]},${language},${description}`
}

/** Books that were uploaded from a sheet with the description "Sent.", and what is done to them since. */
async function scene(...names: string[]) {
  const found = catalogue()
  const { write, book, folder, run, upload } = found
  for (const name of names) book(`${name}.epub`, bookOf(name))
  const sheet = (descriptions: readonly string[], more = {}) =>
    write(header, ...names.map((name, at) => rowOf(name, at, descriptions[at] ?? '', more)))
  sheet(names.map(() => 'Sent.'))
  await upload()
  const { out } = await run(['publications', 'list', '--all', '--json'])
  const listed: { publicationId: string; title: string }[] = JSON.parse(out)
  const idOf = (name: string) => listed.find(({ title }) => title === name)?.publicationId as string
  /** Changes a publication as people do on the pages of the service. */
  const byHand = async (name: string, ...changes: string[]) =>
    expect((await run(['publications', 'update', idOf(name), ...changes, '--json'])).code).toBe(0)
  const descriptionOf = async (name: string) =>
    JSON.parse((await run(['publications', 'get', idOf(name), '--json'])).out).description
  const planFile = join(folder, 'plan.ndjson')
  const apply = async (...args: string[]) => {
    const { code } = await found.plan('--out', planFile, ...args)
    expect(code).toBe(0)
    const applied = await run(['catalogue', 'apply', planFile, '--json'])
    return { ...applied, receipts: JSON.parse(applied.out) }
  }
  const drift = async (...args: string[]) => {
    const { code, out, err } = await run(['catalogue', 'drift', found.sheet, '--json', ...args])
    return { code, err, books: out === '' ? [] : JSON.parse(out) }
  }
  return { ...found, sheetOf: sheet, idOf, byHand, descriptionOf, apply, drift }
}

describe('what was changed at the service', () => {
  it('is not replaced by a plan until somebody says so', async () => {
    const { sheetOf, plan, byHand, apply, drift, idOf, descriptionOf } = await scene('alpha', 'beta')
    await byHand('alpha', '--description', 'Edited.')
    sheetOf(['New.', 'New.'], { language: 'fr' })
    const planned = await plan('--detailed-exitcode')
    expect(planned).toMatchObject({ code: 14, actions: ['drifted', 'update'] })
    const description = { field: 'description', sent: 'Sent.', there: 'Edited.', wanted: 'New.' }
    const language = { field: 'language', sent: 'English', there: 'English', wanted: 'French' }
    expect(planned.steps[0]).toMatchObject({
      why: `${idOf('alpha')} has the same content, and its description was changed there by others`,
      hint: expect.stringContaining('--overwrite-drifted'),
      fields: ['description'],
      ...{ differences: [language, description], send: null, before: null },
    })

    expect(await drift('--detailed-exitcode')).toMatchObject({
      code: 14,
      err: expect.stringContaining('"code":"drifted"'),
      books: [
        {
          state: 'drifted',
          differences: [
            { ...language, state: 'outdated' },
            { ...description, state: 'drifted' },
          ],
        },
        { state: 'outdated' },
      ],
    })

    const applied = await apply()
    expect(applied.code).toBe(0)
    expect(applied.receipts).toMatchObject([
      { outcome: 'conflict', error: { code: 'drifted' } },
      { outcome: 'updated' },
    ])
    expect(await descriptionOf('alpha')).toBe('Edited.')
    expect((await apply('--overwrite-drifted')).receipts[0]).toMatchObject({ outcome: 'updated' })
    expect(await descriptionOf('alpha')).toBe('New.')
    expect(await drift('--detailed-exitcode')).toMatchObject({ code: 0, books: [] })

    // What was sent last is now what the plan has sent, and not what the upload sent.
    await byHand('beta', '--description', 'Sent.')
    expect((await plan('--refresh', '0s')).actions).toEqual(['skip', 'drifted'])
  })

  it.runIf(isSlow)('is drifted where somebody has emptied it, too', async () => {
    const { byHand, plan } = await scene('alpha')
    await byHand('alpha', '--description', '')
    expect((await plan('--refresh', '0s')).steps).toMatchObject([
      { action: 'drifted', differences: [{ sent: 'Sent.', there: null, wanted: 'Sent.' }] },
    ])
  })

  it.runIf(isSlow)(
    'is nobody’s concern where the source has the same by now, and a later change of the source is one of it',
    async () => {
      const { byHand, sheetOf, plan, drift } = await scene('alpha')
      await byHand('alpha', '--description', 'Edited.')
      sheetOf(['Edited.'])
      expect(await drift('--detailed-exitcode')).toMatchObject({ code: 0, books: [] })
      sheetOf(['New.'])
      expect((await plan()).steps).toMatchObject([{ action: 'update', differences: [{ sent: 'Edited.' }] }])
    },
  )

  it.runIf(isSlow)('is left to the service where the source says nothing of it', async () => {
    const { byHand, sheetOf, drift } = await scene('alpha')
    await byHand('alpha', '--description', 'Edited.')
    sheetOf([''])
    expect(await drift('--detailed-exitcode')).toMatchObject({ code: 0, books: [] })
  })

  it('stops a new edition, too, which would replace it', async () => {
    const { book, byHand, plan } = await scene('alpha')
    await byHand('alpha', '--description', 'Edited.')
    book('alpha.epub', bookOf('alpha', 'Corrected.'))
    expect((await plan()).steps).toMatchObject([
      {
        action: 'drifted',
        why: expect.stringMatching(/has a different file, and its description was changed/),
      },
    ])
    expect((await plan('--overwrite-drifted')).actions).toEqual(['edition'])
  })

  it.runIf(isSlow)('is as it was after an update that replaced it was undone', async () => {
    const { byHand, apply, run, folder, plan, descriptionOf } = await scene('alpha')
    await byHand('alpha', '--description', 'Edited.')
    await apply('--refresh', '0s', '--overwrite-drifted')
    expect(await descriptionOf('alpha')).toBe('Sent.')
    expect((await run(['catalogue', 'revert', join(folder, 'plan.ndjson'), '--json'])).code).toBe(0)
    expect(await descriptionOf('alpha')).toBe('Edited.')
    expect((await plan('--refresh', '0s')).actions).toEqual(['drifted'])
  })

  it('can be kept as known, but is not replaced by a new edition for that', async () => {
    const { book, byHand, drift, folder, plan, run } = await scene('alpha', 'beta')
    for (const name of ['alpha', 'beta']) await byHand(name, '--description', 'Edited.')
    const [file, accepted] = [join(folder, 'plan.ndjson'), join(folder, 'accepted.ndjson')]
    expect((await plan('--refresh', '0s', '--out', file)).actions).toEqual(['drifted', 'drifted'])
    const accept = ['catalogue', 'accept', file, '--accepted', accepted, '--only', isbns[0], '--json']
    expect(JSON.parse((await run(accept)).out)).toMatchObject([
      { key: isbns[0], field: 'description', there: 'Edited.', wanted: 'Sent.' },
    ])
    const known = ['--accepted', accepted] as const
    expect((await plan(...known)).steps).toMatchObject([
      { action: 'skip', why: expect.stringContaining('another description, which is accepted') },
      { action: 'drifted' },
    ])
    expect(await drift(...known)).toMatchObject({ books: [{ key: isbns[1], state: 'drifted' }] })
    expect((await plan(...known, '--overwrite-drifted')).actions).toEqual(['skip', 'update'])
    book('alpha.epub', bookOf('alpha', 'Corrected.'))
    expect((await plan(...known)).actions).toEqual(['drifted', 'drifted'])
    expect((await plan(...known, '--overwrite-drifted')).actions).toEqual(['edition', 'update'])
  })

  it.runIf(isSlow)(
    'cannot be told where it is not known what was sent, until a plan has found it equal',
    async () => {
      const { byHand, sheetOf, plan, drift, home, run, sheet } = await scene('alpha')
      const forget = () => {
        for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' }))
          if (/uploads\.db|[/\\]sent$/.test(name)) rmSync(join(home, name), { recursive: true, force: true })
      }
      forget()
      sheetOf(['New.'])
      const unknown = { field: 'description', there: 'Sent.', wanted: 'New.' }
      expect((await plan()).steps).toMatchObject([{ action: 'update' }])
      expect(await drift('--detailed-exitcode')).toMatchObject({ code: 0 })
      expect((await drift()).books).toEqual([
        expect.objectContaining({ state: 'unknown', differences: [{ ...unknown, state: 'unknown' }] }),
      ])
      const { err } = await run(['catalogue', 'plan', sheet])
      expect(err).toContain('What was sent last to 1 of them is not known on this machine')

      sheetOf(['Sent.'])
      forget()
      expect((await plan()).actions).toEqual(['skip'])
      await byHand('alpha', '--description', 'Edited.')
      expect((await plan('--refresh', '0s')).actions).toEqual(['drifted'])
    },
  )
})

describe('what was sent', () => {
  it('is compared with what the service has by now, and not with what was read before it was sent', async () => {
    const { sheetOf, apply, plan } = await scene('alpha')
    sheetOf(['Newer.'])
    await apply()
    sheetOf(['Sent.'])
    expect((await plan()).steps).toMatchObject([
      { action: 'update', differences: [{ sent: 'Newer.', there: 'Newer.', wanted: 'Sent.' }] },
    ])
  })

  it.runIf(isSlow)(
    'is known although the clock was set back after the plan, and after something was sent',
    async () => {
      const { sheetOf, run, sheet, folder } = await scene('alpha')
      const planFile = join(folder, 'plan.ndjson')
      const hoursAgo = (hours: number) => ({
        clock: { ...systemClock, now: () => systemClock.now() - hours * 3_600_000 },
      })
      const plan = async (hours: number) => {
        const args = ['catalogue', 'plan', sheet, '--out', planFile, '--json']
        const { out } = await run(args, hoursAgo(hours))
        return JSON.parse(out).map(({ action }: { action: string }) => action)
      }
      const apply = async (hours: number) =>
        (await run(['catalogue', 'apply', planFile, '--json'], hoursAgo(hours))).code
      sheetOf(['Newer.'])
      expect(await plan(0)).toEqual(['update'])
      expect([await apply(1), await plan(1)]).toEqual([0, ['skip']])
      sheetOf(['Newest.'])
      expect(await plan(1)).toEqual(['update'])
      expect([await apply(2), await plan(2)]).toEqual([0, ['skip']])
      sheetOf(['Sent.'])
      expect([await plan(2), await apply(2), await plan(2)]).toEqual([['update'], 0, ['skip']])
    },
  )

  it('is not known where its record cannot be used, which a warning says, and the plan is made', async () => {
    const { home, sheetOf, apply, byHand, run, sheet } = await scene('alpha')
    sheetOf(['Newer.'])
    await apply()
    const [folder] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(name =>
      /[/\\]sent$/.test(name),
    )
    const path = join(home, folder as string)
    // Windows writes to no file that a process has in its memory, as the index of the journal is.
    const isOpen = (name: string) => process.platform === 'win32' && name.endsWith('-shm')
    for (const name of readdirSync(path).filter(each => !isOpen(each)))
      writeFileSync(join(path, name), 'no database, '.repeat(500))
    await byHand('alpha', '--description', 'Edited.')
    sheetOf(['Newest.'])
    const { code, out, err } = await run(['catalogue', 'plan', sheet, '--json'])
    expect({ code, actions: JSON.parse(out).map(({ action }: { action: string }) => action) }).toEqual({
      code: 0,
      // The journal knows what the upload sent.
      actions: ['drifted'],
    })
    expect(err).toContain('"code":"sent_unusable"')
    expect(existsSync(path)).toBe(true)
  })
})
