import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

/** A machine at a service that answers every request with the same body; `asked` gives each request in a line. */
async function at(body: object, env: Record<string, string> = {}) {
  const { url, received } = await serve((_, response) => json(response, 200, { ...body, context: {} }))
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url, ...env })
  const asked = () => received.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())
  return { ...own, url, asked }
}

it('publications list --asc and --desc say which way to sort', async () => {
  const { run, asked } = await at({ items: [] })
  await run(['publications', 'list', '--sort', 'title', '--asc'])
  await run(['publications', 'list', '--sort', 'title', '--desc'])
  expect(asked()).toEqual([
    'GET /v1/publications?limit=50&sortBy=title&sortDirection=asc',
    'GET /v1/publications?limit=50&sortBy=title&sortDirection=desc',
  ])
  const { code, err } = await run(['publications', 'list', '--asc', '--desc'])
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/"--asc" cannot be used with option "--desc"/),
  })
})

it('publications stats shows what a list carries beside its items', async () => {
  const stats = { publicationCount: 12_345, publicationEditionCount: 20_000, months: { '2026-03': 2 } }
  const { run, asked } = await at({ items: [{}], defaultPublicationId: 'pub_1', stats, nextToken: 'more' })
  const { code, out, err } = await run(['publications', 'stats', '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual({ defaultPublicationId: 'pub_1', stats })
  expect(asked()).toEqual(['GET /v1/publications?limit=1'])
  expect((await run(['publications', 'stats'])).out).toBe('pub_1\t12345\t20000\t{"2026-03":2}\n')
  expect((await run(['publications', 'stats', '--color', 'never'], { columns: 80 })).out).toBe(
    `default publication id  pub_1
publications            12,345
editions                20,000
months                  {"2026-03":2}
`,
  )
  expect((await run(['publications', 'stats', '--query', 'stats.publicationCount'])).out).toBe('12345\n')
})

it('publications stats does without the counts that are optional', async () => {
  const { run } = await at({ items: [], defaultPublicationId: '' })
  expect((await run(['publications', 'stats', '--json'])).out).toBe('{"defaultPublicationId":""}\n')
})

it('publications update --no-sample-items takes all of them away', async () => {
  const { run, asked } = await at({ item: { id: 'pub_1' } })
  expect((await run(['publications', 'update', 'pub_1', '--no-sample-items'])).code).toBe(0)
  await run(['publications', 'update', 'pub_1', '--sample-item', 'one', '--sample-item', 'two'])
  await run(['publications', 'update', 'pub_1', '--description', 'd'])
  expect(asked()).toEqual([
    'PATCH /v1/publications/pub_1 {"sampleItems":[]}',
    'PATCH /v1/publications/pub_1 {"sampleItems":["one","two"]}',
    'PATCH /v1/publications/pub_1 {"description":"d"}',
  ])
  const both = await run(['publications', 'update', 'pub_1', '--sample-item', 'one', '--no-sample-items'])
  expect(both).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be used with option/) })
  expect((await run(['publications', 'update', 'pub_1'])).code).toBe(2)
})

it.each([
  { env: {}, query: 'statuses=draft&statuses=live' },
  { env: { PUBCTL_MULTI_VALUE: 'repeat' }, query: 'statuses=draft&statuses=live' },
  { env: { PUBCTL_MULTI_VALUE: 'comma' }, query: 'statuses=draft%2Clive' },
])('several values travel as PUBCTL_MULTI_VALUE says: $env', async ({ env, query }) => {
  const { run, asked } = await at({ items: [] }, env)
  await run(['publications', 'list', '--status', 'draft,live'])
  expect(asked()).toEqual([`GET /v1/publications?limit=50&${query}`])
})

it('a profile that says how they travel beats PUBCTL_MULTI_VALUE, and a bad value is an error', async () => {
  const { run, url, asked } = await at({ items: [] })
  const key = { stdin: 'canary-spare-key-0123456789\n' }
  const setup = ['profile', 'setup', 'p', '--base-url', url, '--api-key-file', '-', '--multi-value', 'repeat']
  await run([...setup, '--no-verify'], key)
  const list = ['publications', 'list', '--status', 'draft,live', '--profile', 'p', '--base-url', url]
  await run(list, { env: { PUBCTL_MULTI_VALUE: 'comma' } })
  expect(asked()).toEqual(['GET /v1/publications?limit=50&statuses=draft&statuses=live'])
  const { code, err } = await run([...list, '--json'], { env: { PUBCTL_MULTI_VALUE: 'semicolon' } })
  expect({ code, message: JSON.parse(err).error.message }).toEqual({
    code: 2,
    message: 'PUBCTL_MULTI_VALUE is neither repeat nor comma',
  })
})

const summary = {
  publicationId: 'pub_1',
  title: 'A Tale of Two Clocks',
  author: ['Ada', 'Grace'],
  type: 'EPUB',
  status: 'live',
  uploadStatus: 'available',
  createdAtIso: '2026-01-02T03:04:05.000Z',
}
const edition = {
  id: 'ed_1',
  title: 'A Tale of Two Clocks',
  author: ['Ada', 'Grace'],
  type: 'EPUB',
  status: 'live',
  uploadStatus: 'available',
  editionCreated: '2026-01-02T03:04:05.000Z',
  isReflowable: true,
  metadata: {
    isbn: '9780306406157',
    publisher: 'Sandbox Press',
    layoutType: 'reflowable',
    fileSize: 123_456,
  },
}
const tale = {
  id: 'pub_1',
  editions: [edition],
  language: 'English',
  description: 'About clocks',
  sampleItems: ['one'],
  isForInternalReadingInstance: false,
}

const catalogue = () =>
  transcriptOf({
    'GET /v1/publications': ({ url }) => ({
      items: [summary],
      nextToken: url.includes('nextToken') ? null : 'next',
    }),
    'GET /v1/publications/pub_1': { item: tale },
    'PATCH /v1/publications/pub_1': ({ body }) => ({ item: { ...tale, ...JSON.parse(String(body)) } }),
    'GET /v1/publications/pub_2': refused(500, 'INTERNAL', 'It is broken.'),
    'GET /v1/publications/pub_3': refused(401, 'UNAUTHORIZED', 'The key is not known.'),
    'DELETE /v1/publications/pub_1': { item: tale },
    'DELETE /v1/publications/pub_2': refused(500, 'INTERNAL', 'It is broken.'),
  })

it('publications list', async () => {
  const { type } = await catalogue()
  expect(
    await type([
      'pubctl publications list',
      'pubctl publications list --all --query [].publicationId',
      'pubctl publications list --limit 1 --json --fields publicationId',
      'pubctl publications list --limit 51 --query length(@)',
      'pubctl publications list --search "two clocks" --status live --status draft --format pdf,epub-fixed --collection col_1 --limit 2 --fields title',
      'pubctl publications list --sort createdAtIso --asc --limit 2 --fields title',
      'pubctl publications list --sort title --desc --limit 2 --fields title',
      'pubctl publications list --sort size',
      'pubctl publications list --status life',
      'pubctl publications list --format epub,odt --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications list
    > GET /v1/publications?limit=50
    > GET /v1/publications?limit=49&nextToken=next
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥live⇥available⇥2026-01-02T03:04:05.000Z
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥live⇥available⇥2026-01-02T03:04:05.000Z

    $ pubctl publications list --all --query [].publicationId
    > GET /v1/publications?limit=50
    > GET /v1/publications?limit=50&nextToken=next
    pub_1
    pub_1

    $ pubctl publications list --limit 1 --json --fields publicationId
    > GET /v1/publications?limit=1
    [
    {"publicationId":"pub_1"}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}

    $ pubctl publications list --limit 51 --query length(@)
    > GET /v1/publications?limit=50
    > GET /v1/publications?limit=50&nextToken=next
    2

    $ pubctl publications list --search "two clocks" --status live --status draft --format pdf,epub-fixed --collection col_1 --limit 2 --fields title
    > GET /v1/publications?limit=2&search=two+clocks&collectionId=col_1&statuses=live&statuses=draft&formats=pdf&formats=epub-fixed
    > GET /v1/publications?limit=1&nextToken=next&search=two+clocks&collectionId=col_1&statuses=live&statuses=draft&formats=pdf&formats=epub-fixed
    A Tale of Two Clocks
    A Tale of Two Clocks

    $ pubctl publications list --sort createdAtIso --asc --limit 2 --fields title
    > GET /v1/publications?limit=2&sortBy=createdAtIso&sortDirection=asc
    > GET /v1/publications?limit=1&nextToken=next&sortBy=createdAtIso&sortDirection=asc
    A Tale of Two Clocks
    A Tale of Two Clocks

    $ pubctl publications list --sort title --desc --limit 2 --fields title
    > GET /v1/publications?limit=2&sortBy=title&sortDirection=desc
    > GET /v1/publications?limit=1&nextToken=next&sortBy=title&sortDirection=desc
    A Tale of Two Clocks
    A Tale of Two Clocks

    $ pubctl publications list --sort size
    ! error: --sort: "size" is not one of its values
    !   The values are title, author, createdAtIso.
    exit 2

    $ pubctl publications list --status life
    ! error: --status: "life" is not one of its values; did you mean "live"?
    !   The values are draft, live.
    exit 2

    $ pubctl publications list --format epub,odt --json
    ! {"error":{"code":"usage","message":"--format: \\"epub\\" is not one of its values","status":null,"requestId":null,"details":null,"hint":"The values are epub-reflowable, epub-fixed, pdf, audio.","exitCode":2}}
    exit 2
  `)
  expect(await type('pubctl publications list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl publications list
    > GET /v1/publications?limit=50
    > GET /v1/publications?limit=49&nextToken=next
    TITLE                 AUTHOR      TYPE  STATUS  UPLOAD STATUS  PUBLICATION ID
    A Tale of Two Clocks  Ada; Grace  EPUB  live    available      pub_1
    A Tale of Two Clocks  Ada; Grace  EPUB  live    available      pub_1
    ! There was no room for created; --fields names what to show.
  `)
  expect(await type('pubctl publications list --quiet', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl publications list --quiet
    > GET /v1/publications?limit=50
    > GET /v1/publications?limit=49&nextToken=next
    TITLE                 AUTHOR      TYPE  STATUS  UPLOAD STATUS  CREATED           PUBLICATION ID
    A Tale of Two Clocks  Ada; Grace  EPUB  live    available      2026-01-02 03:04  pub_1
    A Tale of Two Clocks  Ada; Grace  EPUB  live    available      2026-01-02 03:04  pub_1
  `)
})

it('publications get', async () => {
  const { type } = await catalogue()
  expect(
    await type([
      'pubctl publications get pub_1',
      'pubctl publications get pub_1 --json --fields id,editions.title',
      'pubctl publications get pub_1 --fields size',
      'pubctl publications get pub_9',
      'pubctl publications get pub_2 --quiet',
      'pubctl publications get pub_3 --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications get pub_1
    > GET /v1/publications/pub_1
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥available⇥English

    $ pubctl publications get pub_1 --json --fields id,editions.title
    > GET /v1/publications/pub_1
    {"id":"pub_1","editions":[{"title":"A Tale of Two Clocks"}]}

    $ pubctl publications get pub_1 --fields size
    ! error: there is no field "size" here
    !   The fields are id, language, description, sampleItems, isForInternalReadingInstance, editions, editions.id, editions.type, editions.isReflowable, editions.editionCreated, editions.title, editions.titleSource, editions.author, editions.version, editions.isCurrentVersion, editions.status, editions.editionNotes, editions.key, editions.uploadStatus, editions.metadata, editions.navigationData, editions.metadata.pageCount, editions.metadata.fileSize, editions.metadata.epubVersion, editions.metadata.spreadBehaviour, editions.metadata.layoutType, editions.metadata.cover, editions.metadata.coverImageAlt, editions.metadata.isbn, editions.metadata.publisher, editions.navigationData.collectionType, editions.navigationData.collectionIndex, editions.navigationData.navigationItemId, editions.navigationData.title, editions.navigationData.depth, editions.navigationData.path, editions.navigationData.pathKey.
    exit 2

    $ pubctl publications get pub_9
    > GET /v1/publications/pub_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5

    $ pubctl publications get pub_2 --quiet
    > GET /v1/publications/pub_2
    > GET /v1/publications/pub_2
    > GET /v1/publications/pub_2
    > GET /v1/publications/pub_2
    ! error: It is broken.
    !   request id: req_1
    !   The service has a problem; try again, and if it remains, report the request id.
    exit 8

    $ pubctl publications get pub_3 --json
    > GET /v1/publications/pub_3
    ! {"error":{"code":"UNAUTHORIZED","message":"The key is not known.","status":401,"requestId":"req_1","details":null,"hint":"Check which key is used with \\"pubctl doctor\\", or set one with \\"pubctl profile setup\\".","exitCode":3}}
    exit 3
  `)
  expect(await type('pubctl publications get pub_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl publications get pub_1
    > GET /v1/publications/pub_1
    id                             pub_1
    title                          A Tale of Two Clocks
    author                         Ada; Grace
    type                           EPUB
    upload status                  available
    language                       English
    description                    About clocks
    sample items                   one
    for internal reading instance  no
    edition id                     ed_1
    status                         live
    edition created                2026-01-02 03:04
    reflowable                     yes
    isbn                           9780306406157
    publisher                      Sandbox Press
    layout type                    reflowable
    file size                      123 kB
  `)
})

it('publications update', async () => {
  const { type } = await catalogue()
  expect(
    await type([
      'pubctl publications update pub_1 --language fr --description "About time" --internal',
      'pubctl publications update pub_1 --no-internal --fields isForInternalReadingInstance',
      'pubctl publications update pub_1 --sample-item one --sample-item two --dry-run',
      'pubctl publications update pub_1 --no-sample-items --dry-run --json',
      'pubctl publications update pub_1 --language Klingonish',
      'pubctl publications update pub_1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications update pub_1 --language fr --description "About time" --internal
    > PATCH /v1/publications/pub_1 {"language":"French","description":"About time","isForInternalReadingInstance":true}
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥available⇥French

    $ pubctl publications update pub_1 --no-internal --fields isForInternalReadingInstance
    > PATCH /v1/publications/pub_1 {"isForInternalReadingInstance":false}
    false

    $ pubctl publications update pub_1 --sample-item one --sample-item two --dry-run
    PATCH⇥http://service/v1/publications/pub_1⇥{"sampleItems":["one","two"]}

    $ pubctl publications update pub_1 --no-sample-items --dry-run --json
    [
    {"method":"PATCH","url":"http://service/v1/publications/pub_1","body":{"sampleItems":[]}}
    ]

    $ pubctl publications update pub_1 --language Klingonish
    > PATCH /v1/publications/pub_1 {"language":"Klingonish"}
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥available⇥Klingonish

    $ pubctl publications update pub_1
    ! error: there is nothing to change
    !   Name what to change, such as --description.
    exit 2
  `)
})

it('publications delete', async () => {
  const { type, answer } = await catalogue()
  expect(
    await type([
      'pubctl publications delete pub_1 --yes',
      'pubctl publications delete pub_1 pub_9 --yes --json --fields id',
      'pubctl publications delete pub_2 --yes',
      'pubctl publications delete pub_1 --dry-run',
      'pubctl publications delete pub_1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications delete pub_1 --yes
    > DELETE /v1/publications/pub_1
    pub_1⇥A Tale of Two Clocks⇥Ada; Grace⇥EPUB⇥available⇥English

    $ pubctl publications delete pub_1 pub_9 --yes --json --fields id
    > DELETE /v1/publications/pub_1
    > DELETE /v1/publications/pub_9
    [
    {"id":"pub_1"}
    ]
    ! {"error":{"code":"part_failed","message":"1 of 2 failed","status":null,"requestId":null,"details":[{"message":"There is none.","path":["pub_9"],"code":"EMPTY_RESPONSE","exitCode":5,"hint":"Check the id; the matching \\"list\\" command shows those that exist."}],"hint":null,"exitCode":10}}
    exit 10

    $ pubctl publications delete pub_2 --yes
    > DELETE /v1/publications/pub_2
    ! error: It is broken.
    !   request id: req_1
    !   The service has a problem; try again, and if it remains, report the request id.
    exit 8

    $ pubctl publications delete pub_1 --dry-run
    DELETE⇥http://service/v1/publications/pub_1⇥

    $ pubctl publications delete pub_1
    ! error: pubctl needs an answer to "Delete this publication?", and cannot ask here
    !   Pass --yes.
    exit 9
  `)
  const question = /To delete, type/
  expect(await answer('pubctl publications delete pub_1', [question, 'A Tale\r'])).toMatchInlineSnapshot(`
    $ pubctl publications delete pub_1
    > GET /v1/publications/pub_1
    !   pub_1  A Tale of Two Clocks
    ! ✔ This cannot be undone. To delete, type "A Tale of Two Clocks" A Tale
    ! error: what you typed does not match, so nothing was deleted
    exit 2
  `)
  expect(
    await answer('pubctl publications delete pub_1 --fields id', [question, ' A Tale of Two Clocks\r']),
  ).toMatchInlineSnapshot(`
    $ pubctl publications delete pub_1 --fields id
    > GET /v1/publications/pub_1
    > DELETE /v1/publications/pub_1
    id  pub_1
    !   pub_1  A Tale of Two Clocks
    ! ✔ This cannot be undone. To delete, type "A Tale of Two Clocks"  A Tale of Two C
    ! locks
  `)
})

it('publications wait', async () => {
  const states = ['upload_pending', 'uploaded', 'available']
  const { type } = await transcriptOf({
    'GET /v1/publications/pub_1': () => ({
      item: { ...tale, editions: [{ ...edition, uploadStatus: states.shift() ?? 'available' }] },
    }),
    'GET /v1/publications/pub_2': {
      item: { ...tale, editions: [{ ...edition, uploadStatus: 'upload_failed' }] },
    },
    'GET /v1/publications/pub_3': {
      item: { ...tale, editions: [{ ...edition, uploadStatus: 'upload_quarantine' }] },
    },
    'GET /v1/publications/pub_4': { item: { ...tale, editions: [{ ...edition, uploadStatus: 'uploaded' }] } },
  })
  expect(
    await type([
      'pubctl publications wait pub_1 --fields id',
      'pubctl publications wait pub_2',
      'pubctl publications wait pub_3 --json',
      'pubctl publications wait pub_4 --timeout 500ms',
      'pubctl publications wait pub_1 pub_2 --fields id',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications wait pub_1 --fields id
    > GET /v1/publications/pub_1
    > GET /v1/publications/pub_1
    > GET /v1/publications/pub_1
    pub_1
    ! pub_1: upload_pending
    ! pub_1: uploaded
    ! pub_1: available

    $ pubctl publications wait pub_2
    > GET /v1/publications/pub_2
    ! pub_2: upload_failed
    ! error: pub_2 could not be processed by the service
    !   The file may be damaged or not of the type it claims; "pubctl inspect" tells what it is.
    exit 12

    $ pubctl publications wait pub_3 --json
    > GET /v1/publications/pub_3
    ! {"error":{"code":"upload_quarantine","message":"pub_3 was quarantined: the security scan found something in it","status":null,"requestId":null,"details":null,"hint":"Check the file with a virus scanner; the service keeps it locked away.","exitCode":11}}
    exit 11

    $ pubctl publications wait pub_4 --timeout 500ms
    > GET /v1/publications/pub_4
    > GET /v1/publications/pub_4
    > GET /v1/publications/pub_4
    ! pub_4: uploaded
    ! error: processing did not finish within 0.5 s; the upload itself is intact
    !   Run the command again to go on waiting; --timeout says how long.
    exit 13

    $ pubctl publications wait pub_1 pub_2 --fields id
    > GET /v1/publications/pub_1
    > GET /v1/publications/pub_2
    pub_1
    ! pub_1: available
    ! pub_2: upload_failed
    ! error: 1 of 2 failed
    !   pub_2 could not be processed by the service
    !     The file may be damaged or not of the type it claims; "pubctl inspect" tells what it is.
    exit 10
  `)
})

it('publications upload refuses what does not fit together', async () => {
  const { type, home } = await transcriptOf({})
  for (const name of ['one.epub', 'two.epub']) writeFileSync(join(home, name), 'a book')
  mkdirSync(join(home, 'none'))
  expect(
    await type([
      'pubctl publications upload',
      'pubctl publications upload ~/none',
      'pubctl publications upload ~/one.epub ~/two.epub --title T',
      'pubctl publications upload ~/one.epub ~/two.epub --isbn 9783161484100',
      'pubctl publications upload ~/one.epub --encoding windows-1252',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl publications upload
    ! error: no file is named
    !   Name files, or a sheet with --manifest.
    exit 2

    $ pubctl publications upload ~/none
    ! error: there are no books in ~/none
    !   Books end in .epub, .pdf or .lpf; --recursive looks into its folders as well.
    exit 2

    $ pubctl publications upload ~/one.epub ~/two.epub --title T
    ! error: --title and --isbn belong to one book, and several files were given
    !   Give each its own in a sheet with --manifest.
    exit 2

    $ pubctl publications upload ~/one.epub ~/two.epub --isbn 9783161484100
    ! error: --title and --isbn belong to one book, and several files were given
    !   Give each its own in a sheet with --manifest.
    exit 2

    $ pubctl publications upload ~/one.epub --encoding windows-1252
    ! error: --encoding belongs to a sheet, and none was given
    !   Name the sheet with --manifest, or leave --encoding out.
    exit 2
  `)
})
