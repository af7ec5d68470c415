import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../src/plan/plan-step.ts'
import { makeBook } from '../support/books/make-book.ts'
import { identifier, message, record } from '../support/catalogues/onix.ts'
import { fullRecord, shortRecord } from '../support/catalogues/onix-record.ts'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

const isbn = '9783161484100'

/** A book of fixed layout. */
const fixedBook = (title: string): Buffer =>
  makeBook({
    metadata: `<dc:title>${title}</dc:title><dc:creator>Own</dc:creator><dc:language>en</dc:language><meta property="rendition:layout">pre-paginated</meta>`,
  })

/** A machine with a feed and a folder of books, and what plans of them say. */
function publisher() {
  const pc = machine()
  const [feed, books] = [join(pc.home, 'feed.xml'), join(pc.home, 'books')]
  mkdirSync(books)
  const write = (xml: string | Buffer) => writeFileSync(feed, xml)
  const book = (name: string, content = fixedBook('Own Title')) => {
    writeFileSync(join(books, name), content)
    return join(books, name)
  }
  const plan = async (...args: string[]) => {
    const { code, out, err } = await pc.sandbox([
      'catalogue',
      'plan',
      feed,
      '--files',
      books,
      ...args,
      '--json',
    ])
    const steps: PlanStep[] = out === '' ? [] : JSON.parse(out)
    return { code, err, steps, actions: steps.map(({ action }) => action) }
  }
  return { ...pc, feed, books, write, book, plan }
}

const reference = `<ONIXMessage release="3.0">${fullRecord}</ONIXMessage>`
const short = `<ONIXmessage release="3.1" xmlns="http://ns.editeur.org/onix/3.1/short">${shortRecord}</ONIXmessage>`

describe('catalogue plan of an ONIX message', () => {
  it('creates the book with its fields, and nothing more after apply', async () => {
    const { sandbox, home, write, book, plan } = publisher()
    const file = book('978-3-16-148410-0_ebfc.epub')
    for (const key of ['imprint', 'subjects', 'accessibility', 'sha256'])
      expect((await sandbox(['metadata-keys', 'create', key])).code).toBe(0)
    write(reference)
    const out = join(home, 'plan.ndjson')
    const { code, steps } = await plan('--out', out)
    expect(code).toBe(0)
    expect(steps).toMatchObject([
      {
        ...{ action: 'create', key: isbn, file, type: 'EPUB', title: 'The Sea: A Story & a Map' },
        from: { record: 'org.example.sea', line: 1 },
        send: {
          ...{ language: 'English', description: 'One sea,\ntwo boats.\n\n- a map\n- a crew' },
          edition: {
            title: 'The Sea: A Story & a Map',
            author: ['Ludwig van Lee', 'Sea, Salt, and Sons'],
            metadata: {
              ...{ isbn, publisher: 'A Press', imprint: 'Salt Books' },
              subjects: 'Thema FFP; Thema 1DNS; BISAC FIC022000',
              accessibility: expect.stringContaining('WCAG level AA; '),
            },
          },
        },
      },
    ])
    expect(steps[0]).not.toHaveProperty('send.edition.metadata.keywords')
    const applied = await sandbox(['catalogue', 'apply', out, '--json'])
    expect({ code: applied.code, err: applied.err }).toMatchObject({ code: 0 })
    for (const xml of [reference, short]) {
      write(xml)
      expect(await plan('--detailed-exitcode')).toMatchObject({ code: 0, actions: ['skip'] })
    }
  })

  it('says where the record declares something else than the file, and where the service has it', async () => {
    const { sandbox, home, write, book, plan } = publisher()
    book(
      `${isbn}.epub`,
      makeBook({
        metadata:
          '<dc:title>Own</dc:title><dc:creator>Own</dc:creator><dc:language>en</dc:language><meta property="tdm:reservation">0</meta>',
      }),
    )
    for (const key of ['usageRights', 'artificialMakers', 'onSaleDate'])
      expect((await sandbox(['metadata-keys', 'create', key])).code).toBe(0)
    write(reference.replace('E201', 'E200'))
    const out = join(home, 'plan.ndjson')
    const { steps, err } = await plan('--out', out)
    const message = expect.stringMatching(
      /\.epub and record org\.example\.sea .*: The feed reserves text and data mining, and the file permits it\.$/,
    )
    expect(steps).toMatchObject([{ action: 'create', warnings: [{ code: 'tdm_contradicts', message }] }])
    expect(err).toContain('"code":"tdm_contradicts"')
    expect((await sandbox(['catalogue', 'apply', out])).code).toBe(0)
    write(reference.replace('E201', 'E200').replace('<EpubUsageStatus>03', '<EpubUsageStatus>01'))
    const [step] = (await plan()).steps
    expect(step?.differences).toMatchObject([
      {
        field: 'usageRights',
        there: expect.stringMatching(/^Text and data mining: Prohibited;/),
        wanted: expect.stringMatching(/^Text and data mining: Permitted unlimited;/),
      },
    ])
  })

  it('is the same of both dialects', async () => {
    const { write, book, plan } = publisher()
    book(`${isbn}.epub`)
    const stepsOf = async (xml: string) => {
      write(xml)
      const { steps } = await plan()
      return steps.map(({ uploadRequestId: _, from: __, send, ...step }) => ({
        ...step,
        send: { ...send, uploadRequestId: '' },
      }))
    }
    expect(await stepsOf(short)).toEqual(await stepsOf(reference))
  })

  it('says what is wrong or missing, and ends with 10 for a broken record', async () => {
    const { write, book, plan } = publisher()
    for (const name of ['9780306406157.epub', '9780306406157-2.epub', '9780198526636.epub']) book(name)
    const numbered = (reference: string, value: string, more = {}) =>
      record({ reference, identifiers: identifier('15', value), ...more })
    write(
      message(
        numbered('no-file', isbn),
        numbered('two files', '9780306406157'),
        numbered('another type', '9780198526636', { form: '<ProductForm>AJ</ProductForm>' }),
        numbered('printed', '9780007232833', { form: '<ProductForm>BC</ProductForm>' }),
        numbered('early', '9780007232833', { notification: '01' }),
        numbered('deleted', '9780007324378', { notification: '05' }),
        numbered('broken', '9783161484101'),
      ),
    )
    const { code, steps } = await plan()
    expect(code).toBe(10)
    const said = Object.fromEntries(
      steps.map(({ from, action, why }) => [from && 'record' in from && from.record, [action, why]]),
    )
    expect(said).toEqual({
      'no-file': ['no-file', expect.any(String)],
      'two files': ['conflict', expect.stringMatching(/9780306406157-2\.epub and .*9780306406157\.epub/)],
      'another type': ['conflict', expect.stringMatching(/Audio/)],
      printed: ['ignored', 'its form BC is not that of a digital book'],
      early: ['ignored', expect.stringContaining('early notification')],
      deleted: ['ignored', expect.stringContaining('not at the service')],
      broken: ['broken', 'record broken, line 10: its ISBN 9783161484101 has a wrong check digit'],
    })
  })

  it('names what is not for sale: withdrawn where it is there, else ignored', async () => {
    const { sandbox, home, write, book, plan } = publisher()
    const other = '9780306406157'
    for (const name of [isbn, other]) book(`${name}.epub`)
    const status = (code: string) => `<PublishingStatus>${code}</PublishingStatus>`
    const records = (code: string) =>
      message(
        record({ reference: 'there', publishing: status(code) }),
        ...(code === '04'
          ? []
          : [
              record({
                reference: 'not there',
                identifiers: identifier('15', other),
                publishing: status(code),
              }),
            ]),
      )
    write(records('04'))
    const out = join(home, 'plan.ndjson')
    expect(await plan('--out', out)).toMatchObject({ actions: ['create'] })
    expect((await sandbox(['catalogue', 'apply', out])).code).toBe(0)
    write(records('07'))
    const { code, steps } = await plan('--out', out)
    const publicationId = steps[0]?.publicationId
    const why = 'it is out of print (publishing status 07)'
    expect({ code, steps }).toMatchObject({
      code: 0,
      steps: [
        {
          ...{ action: 'withdrawn', key: isbn, title: 'The Sea', publicationId },
          why: `${why}, and ${publicationId} is at the service; a plan deletes nothing`,
          hint: expect.stringMatching(
            /Unpublish it on the pages of the service.* "pubctl publications delete"/,
          ),
        },
        { action: 'ignored', key: other, title: 'The Sea', why: `${why}, and it is not at the service` },
      ],
    })
    const applied = JSON.parse((await sandbox(['catalogue', 'apply', out, '--json'])).out)
    expect(applied).toMatchObject([
      { title: 'The Sea', outcome: 'skipped', why: expect.stringContaining('a plan deletes nothing') },
      { title: 'The Sea', outcome: 'skipped', why: expect.stringContaining('it is not at the service') },
    ])
  })

  it('leaves out what it can do without, and says so', async () => {
    const { write, book, plan } = publisher()
    book(`${isbn}.epub`)
    const dated =
      '<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>soon</Date></PublishingDate>'
    write(message(record({ reference: 'r1', publishing: dated })))
    const { code, actions, err } = await plan()
    expect({ code, actions }).toEqual({ code: 0, actions: ['create'] })
    const said = err
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).warning)
    expect(said).toContainEqual({
      code: 'values_left_out',
      message: expect.stringMatching(
        /^values of the sheets and messages .* left out: record r1 in line 4 of .*: its publishing date "soon" cannot be read as a date$/,
      ),
      hint: 'Correct them there.',
    })
  })

  it('matches by an own metadata key, and finds files by it', async () => {
    const { sandbox, write, book, plan } = publisher()
    await sandbox(['metadata-keys', 'create', 'own-id'])
    const file = book('sea-1 final.epub')
    write(reference)
    const { steps } = await plan('--match', 'metadata:own-id', '--name', '{key}*.epub')
    expect(steps).toMatchObject([
      { action: 'create', key: 'SEA-1', file, send: { edition: { metadata: { 'own-id': 'SEA-1' } } } },
    ])
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['ends too early', reference.slice(0, -30), /ends before it is complete: line \d+/],
    ['is of ONIX 2.1', reference.replace('3.0', '2.1'), /ONIX 2\.1/],
    [
      'has entities of its own',
      `<!DOCTYPE a [<!ENTITY e "x">]>${reference.replace('The</', '&e;</')}`,
      /entity &e;/,
    ],
    ['is empty', '', /is empty/],
    [
      'is of another encoding',
      Buffer.from(`<?xml version="1.0"?>${reference.replace('Salt', 'S\xe4lt')}`, 'latin1'),
      /not UTF-8/,
    ],
  ])('refuses one that %s, in a line', async (_, xml, words) => {
    const { write, plan } = publisher()
    write(xml)
    const { code, err, steps } = await plan()
    expect({ code, steps }).toEqual({ code: 2, steps: [] })
    const { error } = JSON.parse(err)
    expect(error).toMatchObject({
      code: 'bad_onix',
      message: expect.stringMatching(words),
      hint: expect.any(String),
    })
  })

  it.each<[string[], RegExp]>([
    [['--name', 'book.epub'], /--name: the pattern "book.epub" has none of/],
    [['--files', 'gone'], /cannot read .*gone: there is no such file/],
    [['--files', 'package.json'], /package\.json is not a folder/],
  ])('refuses %j, in a line', async (args, words) => {
    const { write, plan } = publisher()
    write(reference)
    const { code, err } = await plan(...args)
    expect({ code, message: JSON.parse(err).error.message }).toEqual({
      code: 2,
      message: expect.stringMatching(words),
    })
  })

  it('changes by a partial record what it holds and nothing else', async () => {
    const { sandbox, home, write, book, plan } = publisher()
    book(`${isbn}.epub`)
    write(reference)
    const out = join(home, 'plan.ndjson')
    await plan('--out', out)
    expect((await sandbox(['catalogue', 'apply', out])).code).toBe(0)
    const collateral =
      '<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>New.</Text></TextContent>'
    write(message(record({ notification: '04', form: '', title: '', collateral })))
    const { steps } = await plan()
    expect(steps).toMatchObject([{ action: 'update', fields: ['description'] }])
    expect(steps[0]?.send).toEqual({ description: 'New.' })
  })

  it('opens nothing that the message points to', async () => {
    const { url, received } = await serve((_, response) => json(response, 200, {}))
    const { write, book, plan } = publisher()
    book(`${isbn}.epub`)
    write(
      `<?xml-stylesheet href="${url}/style.xsl"?><!DOCTYPE ONIXMessage SYSTEM "${url}/onix.dtd" [<!ENTITY % p SYSTEM "${url}/p">%p;]>${reference.replaceAll('http://169.254.169.254', url)}`,
    )
    expect(await plan()).toMatchObject({ code: 0, actions: ['create'] })
    expect(received).toEqual([])
  })

  it('refuses a sheet whose ISBNs a spreadsheet turned into numbers, by row', async () => {
    const { sandbox, home } = publisher()
    const sheet = join(home, 'old.csv')
    writeFileSync(sheet, Buffer.from(`isbn;title\n${isbn};Caf\xe9\n9,78E+12;Sea\n`, 'latin1'))
    const { code, err } = await sandbox(['catalogue', 'plan', sheet, '--encoding', 'windows-1252', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(err).error.details).toEqual([
      {
        path: ['row 3', 'isbn'],
        code: 'bad_cell',
        message: expect.stringContaining('a spreadsheet turned the ISBN into 9,78E+12'),
      },
    ])
    const unnamed = await sandbox(['catalogue', 'plan', sheet])
    expect(unnamed).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not UTF-8 text: line 2\n.*--encoding windows-1252/),
    })
  })

  it('takes --name only with --files', async () => {
    const { sandbox, feed, write } = publisher()
    write(reference)
    const { code, err } = await sandbox(['catalogue', 'plan', feed, '--name', '{isbn}.epub'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('no folder is named') })
  })
})
