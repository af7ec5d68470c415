import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanHeader, PlanStep } from '../../src/plan/plan-step.ts'
import { uuid5 } from '../../src/plan/uuid5.ts'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import '../support/machine/plain-snapshots.ts'
import { fullRecord } from '../support/catalogues/onix-record.ts'

const header = 'file,title,author,isbn,description'

describe('catalogue plan', () => {
  it('creates what is not there, and has nothing to do afterwards', async () => {
    const { write, book, plan, upload } = catalogue()
    const file = book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,The Alpha,Ann,${isbns[0]},First`)
    const first = await plan()
    expect(first).toMatchObject({ code: 0, actions: ['create'] })
    expect(first.steps[0]).toMatchObject({
      key: isbns[0],
      file,
      title: 'The Alpha',
      type: 'EPUB',
      publicationId: null,
      before: null,
      cover: 'auto',
      send: {
        publicationFilename: 'alpha.epub',
        description: 'First',
        language: 'English',
        edition: { type: 'EPUB', title: 'The Alpha', author: ['Ann'], metadata: { isbn: isbns[0] } },
      },
    })
    await upload()
    const second = await plan()
    expect(second).toMatchObject({ code: 0, actions: ['skip'] })
    expect(second.steps[0]).toMatchObject({ proof: 'proven', send: null })
  })

  it('sees a corrected file, a changed description and a changed author', async () => {
    const { write, book, plan, upload } = catalogue()
    for (const name of ['alpha', 'beta', 'gamma']) book(`${name}.epub`, bookOf(name))
    const row = (name: string, author: string, isbn: string, description: string) =>
      `${name}.epub,${name},${author},${isbn},${description}`
    write(header, ...['alpha', 'beta', 'gamma'].map((name, at) => row(name, 'Ann', `${isbns[at]}`, 'First')))
    await upload()
    book('alpha.epub', bookOf('alpha', 'Corrected.'))
    write(
      header,
      row('alpha', 'Ann', isbns[0], 'First'),
      row('beta', 'Ann', isbns[1], 'Second'),
      row('gamma', 'Bob', isbns[2], 'Second'),
    )
    const { steps, actions } = await plan()
    expect(actions).toEqual(['edition', 'update', 'blocked'])
    expect(steps[0]).toMatchObject({
      before: { currentEditionId: expect.any(String), description: 'First', language: 'English' },
      send: { edition: { title: 'alpha', metadata: { isbn: isbns[0] } } },
    })
    expect(steps[0]?.differences).toBeNull()
    const description = [{ field: 'description', sent: 'First', there: 'First', wanted: 'Second' }]
    const who = [{ field: 'author', sent: ['Ann'], there: ['Ann'], wanted: ['Bob'] }]
    expect(steps[1]).toMatchObject({
      ...{ send: { description: 'Second' }, fields: ['description'], differences: description },
    })
    expect(Object.keys(steps[1]?.send ?? {})).toEqual(['description'])
    expect(steps[2]).toMatchObject({
      ...{ fields: ['author'], differences: who, send: null },
      hint: expect.stringContaining('--reissue'),
    })
    const reissued = await plan('--reissue')
    expect(reissued.actions).toEqual(['edition', 'update', 'edition'])
    expect(reissued.steps.map(({ fields }) => fields)).toEqual([null, ['description'], ['author']])
    expect(reissued.steps.map(({ differences }) => differences)).toEqual([null, description, who])
  })

  it('names both of two rows with one key', async () => {
    const { write, book, plan, sheet } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`, `,B,Bob,978-3-16-148410-0,`)
    const { code, steps } = await plan()
    expect(code).toBe(0)
    const why = (one: number, other: number) =>
      `row ${one} of ${sheet} and row ${other} of ${sheet} have the ISBN ${isbns[0]}`
    expect(steps.map(({ action, why }) => [action, why])).toEqual([
      ['conflict', why(2, 3)],
      ['conflict', why(3, 2)],
    ])
  })

  it('takes rows that turn out to be one book for a conflict', async () => {
    const { write, book, plan, upload } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`)
    await upload()
    const [{ publicationId } = { publicationId: null }] = (await plan()).steps
    write('publicationId,isbn,description', `${publicationId},,New`, `,${isbns[0]},Newer`)
    expect((await plan()).actions).toEqual(['conflict', 'conflict'])
  })

  it('says conflict where two publications have one key, unless the row names one', async () => {
    const { write, book, plan, upload, folder, sheet } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    book('beta.epub', bookOf('Beta'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`, `beta.epub,B,Bob,${isbns[0]},`)
    await upload()
    const rows = readFileSync(sheet, 'utf8').split('\n')
    write(rows[0] as string, rows[1] as string)
    const { steps } = await plan()
    expect(steps[0]).toMatchObject({
      action: 'conflict',
      why: expect.stringMatching(/ and .* have the ISBN/),
    })
    const [, one] = /^(\S+) and/.exec(steps[0]?.why ?? '') ?? []
    write(`${header},publicationId`, `alpha.epub,A,Ann,${isbns[0]},,${one}`)
    expect((await plan()).steps[0]?.publicationId).toBe(one)
    expect(folder).toBeTruthy()
  })

  it('reads a file that is no book as a broken row, and ends with 10', async () => {
    const { write, book, plan } = catalogue()
    book('alpha.epub', Buffer.from('not a book'))
    book('beta.epub', bookOf('Beta'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`, `beta.epub,B,Bob,${isbns[1]},`)
    const { code, steps, actions, err } = await plan()
    expect({ code, actions }).toEqual({ code: 10, actions: ['broken', 'create'] })
    expect(steps[0]?.why).toMatch(/alpha\.epub/)
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'rows_broken', exitCode: 10 } })
  })

  it('has no book to create for a row without a file', async () => {
    const { write, plan } = catalogue()
    write('title,isbn', `A,${isbns[0]}`)
    expect(await plan()).toMatchObject({ code: 0, actions: ['no-file'] })
  })

  it('leaves out columns that are not known, names them once, and --column says what they mean', async () => {
    const { write, plan, run, sheet } = catalogue()
    write('sep=;', 'EAN;Titel;Preis;', `="${isbns[0]}";Alpha;1;x`, `="${isbns[1]}";Beta;2;y`)
    const { code, err } = await run(['catalogue', 'plan', sheet])
    expect(code).toBe(2)
    expect(err).toContain('row 1: has none of the columns file, isbn, key, publicationId, title')
    expect(err).toContain('--column "EAN=')
    const named = await plan('--column', 'ean=isbn', '--column', 'Titel = Title')
    expect(named).toMatchObject({
      actions: ['no-file', 'no-file'],
      steps: [
        { key: isbns[0], title: 'Alpha' },
        { key: isbns[1], title: 'Beta' },
      ],
    })
    const warnings = named.err
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).warning)
    expect(warnings.filter(({ code }) => code === 'columns_left_out')).toEqual([
      {
        code: 'columns_left_out',
        message: `${sheet} has columns that are not known, and they are left out: Preis, 4`,
        hint: expect.stringMatching(/--column "Preis=\w+"/),
      },
    ])
    for (const wrong of ['Titel', '=title', 'Titel=headline'])
      expect(await run(['catalogue', 'plan', sheet, '--column', wrong])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/error: --column: .*\n.*(Titel=title|publicationId)/),
      })
  })

  it('says so where --column names a column that no sheet has', async () => {
    const { write, run, sheet } = catalogue()
    write('title,isbn', `A,${isbns[0]}`)
    expect(await run(['catalogue', 'plan', sheet, '--column', 'Titel=title'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no sheet has a column "Titel"'),
    })
  })

  it('refuses a second book of a title without a key, unless --new says that it is another', async () => {
    const { write, book, plan, upload, folder, sheet } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    const plain = join(folder, 'plain.csv')
    writeFileSync(plain, 'file,title,author\nalpha.epub,Alpha,Ann\n')
    await upload(plain)
    book('alpha.epub', bookOf('Alpha', 'Other.'))
    write(header, `alpha.epub,Alpha,Ann,${isbns[0]},`)
    const { steps } = await plan()
    expect(steps[0]).toMatchObject({
      action: 'conflict',
      hint: expect.stringMatching(/publicationId.*--new/),
    })
    expect((await plan('--new')).actions).toEqual(['create'])
    const id = steps[0]?.publicationId
    writeFileSync(sheet, `file,publicationId\nalpha.epub,${id}\n`)
    expect((await plan()).steps[0]).toMatchObject({ action: 'edition', publicationId: id })
  })

  it('finds books by a metadata key, and writes the key into what it creates', async () => {
    const { write, book, plan, upload, sandbox } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write('file,title,key', 'alpha.epub,Alpha,N-7')
    const refused = await plan('--match', 'metadata:number')
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.err)).toMatchObject({ error: { code: 'no_metadata_key' } })
    await sandbox(['metadata-keys', 'create', 'number'])
    const created = await plan('--match', 'metadata:number')
    expect(created.steps[0]).toMatchObject({ key: 'N-7', action: 'create' })
    expect(created.steps[0]?.send).toMatchObject({ edition: { metadata: { number: 'N-7' } } })
    write('file,title,metadata.number', 'alpha.epub,Alpha,N-7')
    await upload()
    expect((await plan('--match', 'metadata:number')).actions).toEqual(['skip'])
  })

  it('says broken where the key is no ISBN', async () => {
    const { write, book, plan } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write('file,title,key', 'alpha.epub,Alpha,N-7')
    const { code, steps } = await plan()
    expect(code).toBe(10)
    expect(steps[0]).toMatchObject({ action: 'broken', why: expect.stringMatching(/N-7.*not an ISBN/) })
  })
})

it('publications upload --dry-run prints the same steps', async () => {
  const { write, book, plan, upload, sandbox, sheet } = catalogue()
  const file = book('alpha.epub', bookOf('Alpha'))
  write(header, `alpha.epub,A,Ann,${isbns[0]},First`)
  const dryRun = async (...args: string[]) => {
    const line = ['publications', 'upload', '--manifest', sheet, ...args, '--dry-run', '--json']
    return JSON.parse((await sandbox(line)).out)[0]
  }
  const [planned] = (await plan()).steps
  const { requests, ...step } = await dryRun('--skip-existing')
  expect(Object.keys(step)).toEqual(Object.keys(planned as object))
  const { why: _, uploadRequestId: __, send, ...same } = planned as PlanStep
  expect(step).toMatchObject({ ...same, send: { ...send, uploadRequestId: expect.any(String) } })
  expect(requests[0].body).toEqual(step.send)
  await upload()
  write(header, `alpha.epub,A,Ann,${isbns[0]},Second`)
  const [update] = (await plan()).steps
  expect(await dryRun('--skip-existing')).toMatchObject({
    ...{ action: 'update', file, fields: ['description'], send: { description: 'Second' } },
    before: update?.before,
  })
})

describe('the summary of a plan', () => {
  it('says at a terminal of 80 columns what differs and what can be done, at each step', async () => {
    const { write, book, upload, sandbox, sheet } = catalogue()
    for (const name of ['alpha', 'beta', 'gamma']) book(`${name}.epub`, bookOf(name))
    const row = (name: string, at: number, author = 'Ann', description = '') =>
      `${name}.epub,${name},${author},${isbns[at]},${description}`
    const told = (verb: string) =>
      `${'Of the sea. '.repeat(20)}Everybody will ${verb} it.${' And so on.'.repeat(20)}`
    write(header, row('alpha', 0, 'Ann', told('like')), row('beta', 1))
    const first = await sandbox(['catalogue', 'plan', sheet])
    expect(first.err).toMatch(/^2 to create\.\n {2}create: These become new publications\.\nThe organisation/)
    await upload()
    write(header, row('alpha', 0, 'Ann', told('love')), row('beta', 1, 'Ann; Bo'), `,gamma,Ann,${isbns[2]},`)
    const shown = await sandbox(['catalogue', 'plan', sheet], { columns: 80 })
    const text = shown.out.replace(/pub_\w+/g, id => 'pub_'.padEnd(id.length, '0'))
    expect(text.replace(/…\S*[/\\]catalogue[/\\]/g, '…/catalogue/')).toMatchInlineSnapshot(`
      [1mISBN           TITLE  ACTION   FILE                     PUBLICATION ID[22m
      9783161484100  alpha  update   …/catalogue/alpha.epub  pub_00000000000000000000
        pub_00000000000000000000 has the same content and another description
        description: there
          "…Everybody will like it. And so on. And so on. And so on. And…", wanted
          "…Everybody will love it. And so on. And so on. And so on. And…"
      9780306406157  beta   blocked  …/catalogue/beta.epub  pub_00000000000000000000
        pub_00000000000000000000 has the same content and another author, which the
          service cannot change
        author: there "Ann", wanted "Ann; Bo"
        To do: Correct the sheet or message, or plan with --reissue to send the file
          again, with the values of the sheet or message.
      9780198526636  gamma  no-file
        it is not at the service, and there is no file of it
        To do: Name its file in the sheet, or the folder with the files with --files.
    `)
    expect(shown.err).toContain('1 update, 1 blocked, 1 without a file.')
    expect(shown.err).toContain('pubctl metadata-keys create sha256')
    const piped = (await sandbox(['catalogue', 'plan', sheet])).out.split('\n').map(line => line.split('\t'))
    expect(piped.map(cells => cells.slice(-2))).toEqual([
      [`description: there "${told('like')}", wanted "${told('love')}"`, ''],
      ['author: there "Ann", wanted "Ann; Bo"', expect.stringContaining('--reissue')],
      ['', expect.stringContaining('--files')],
      [''],
    ])
    write(header, row('alpha', 0, 'Ann', told('like')), row('beta', 1))
    expect((await sandbox(['catalogue', 'plan', sheet], { columns: 80 })).out).toBe(
      'There is nothing to do.\n',
    )
    const whole = await sandbox(['catalogue', 'plan', sheet, '--verbose'], { columns: 80 })
    expect(whole.out).toContain(isbns[1])
    const csv = await sandbox(['catalogue', 'plan', sheet, '-o', 'csv', '--fields', 'action'])
    expect(csv.out).toBe('action\nskip\nskip\n')
  })

  it('warns of values for which there are no metadata keys', async () => {
    const { sandbox, folder } = catalogue()
    const feed = join(folder, 'feed.xml')
    writeFileSync(feed, `<ONIXMessage release="3.0">${fullRecord}</ONIXMessage>`)
    const { err } = await sandbox(['catalogue', 'plan', feed, '--json'])
    const warnings = err.split('\n').filter(Boolean)
    expect(warnings.map(line => JSON.parse(line).warning)).toMatchObject([
      { code: 'not_sent', message: expect.stringContaining('no fields for 2 prices and 1 sales right') },
      {
        code: 'metadata_not_sent',
        message: expect.stringMatching(/no metadata keys: .*imprint \(\d+ books?\)/),
      },
    ])
    const out = join(folder, 'plan.ndjson')
    await sandbox(['catalogue', 'plan', feed, '--out', out])
    const [header = ''] = readFileSync(out, 'utf8').split('\n')
    expect(JSON.parse(header).notSent).toMatchObject({ prices: 2, rights: 1, imprint: 1 })
  })
})

describe('the plan file', () => {
  it('holds the steps with ids that follow from the plan and the key', async () => {
    const { write, book, plan, folder, sheet } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`, `,B,Bob,${isbns[1]},`)
    const out = join(folder, 'plan.ndjson')
    const { steps } = await plan('--out', out)
    const [head, ...lines] = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)) as [PlanHeader, ...PlanStep[]]
    expect(lines).toEqual(steps)
    expect(head).toMatchObject({
      scopeId: 'scope_sandbox',
      counts: { create: 1, 'no-file': 1 },
      sources: [{ path: sheet, sha256: createHash('sha256').update(readFileSync(sheet)).digest('hex') }],
    })
    const id = uuid5(head.planId, isbns[0])
    expect(lines[0]).toMatchObject({ uploadRequestId: id, send: { uploadRequestId: id } })
  })

  it('counts publications that are in no source, and shows and writes them with --orphans', async () => {
    const { write, book, plan, upload, folder, run } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},`)
    await upload()
    write('title,isbn', `B,${isbns[1]}`)
    expect((await plan()).actions).toEqual(['no-file'])
    const { steps } = await plan('--orphans')
    expect(steps[1]).toMatchObject({ action: 'orphan', key: isbns[0], title: 'A' })
    const out = join(folder, 'plan.ndjson')
    const written = async (...args: string[]) => {
      await plan('--out', out, ...args)
      const [head, ...lines] = readFileSync(out, 'utf8').trim().split('\n')
      expect((await run(['catalogue', 'apply', out, '--json'])).code).toBe(0)
      const actions = lines.map(line => JSON.parse(line).action)
      return [JSON.parse(head as string).counts, actions]
    }
    expect(await written()).toEqual([{ 'no-file': 1 }, ['no-file']])
    expect(await written('--orphans')).toEqual([{ 'no-file': 1, orphan: 1 }, ['no-file', 'orphan']])
  })

  it('is what catalogue apply carries out', async () => {
    const { write, book, plan, folder, sandbox } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    copyFileSync(book('beta.epub', bookOf('Beta')), join(folder, 'gamma.epub'))
    write(header, `alpha.epub,A,Ann,${isbns[0]},First`, `beta.epub,B,Bob,${isbns[1]},`)
    const out = join(folder, 'plan.ndjson')
    await plan('--out', out)
    const { code, err } = await sandbox(['catalogue', 'apply', out, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await plan('--detailed-exitcode')).toMatchObject({ code: 0, actions: ['skip', 'skip'] })
    write(header, `alpha.epub,A,Ann,${isbns[0]},Second`, `beta.epub,B,Bob,${isbns[1]},`)
    expect(await plan('--detailed-exitcode', '--out', out)).toMatchObject({
      code: 14,
      actions: ['update', 'skip'],
    })
    expect((await sandbox(['catalogue', 'apply', out, '--json'])).code).toBe(0)
    expect((await plan()).actions).toEqual(['skip', 'skip'])
  })
})
