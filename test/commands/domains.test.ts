import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'

const shop = {
  id: 'dom_1',
  domain: 'reader.example.org',
  description: 'our shop',
  createdAtIso: '2026-03-01T08:00:00.000Z',
  updatedAtIso: '2026-03-02T08:00:00.000Z',
  isInUse: true,
  readerInstanceIds: ['ri_1', 'ri_2'],
}
const old = { ...shop, id: 'dom_2', domain: 'old.example.org', description: null, isInUse: false }

const service = () =>
  transcriptOf({
    'GET /v1/domains': { items: [shop, old] },
    'GET /v1/domains/dom_1': { item: shop },
    'GET /v1/domains/dom_2': { item: old },
    'POST /v1/domains': { item: { ...shop, id: 'dom_3', domain: 'new.example.org' } },
    'PATCH /v1/domains/dom_1': { item: { ...shop, description: 'changed' } },
    'DELETE /v1/domains/dom_1': refused(400, 'INVALID_REQUEST', 'The domain is in use.'),
    'DELETE /v1/domains/dom_2': { item: old },
  })

it('domains list', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl domains list',
      'pubctl domains list --limit 1 --json',
      'pubctl domains list --all --fields id,description',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl domains list
    > GET /v1/domains
    dom_1⇥reader.example.org⇥our shop⇥true⇥2026-03-01T08:00:00.000Z
    dom_2⇥old.example.org⇥⇥false⇥2026-03-01T08:00:00.000Z

    $ pubctl domains list --limit 1 --json
    > GET /v1/domains
    [
    {"id":"dom_1","domain":"reader.example.org","description":"our shop","createdAtIso":"2026-03-01T08:00:00.000Z","updatedAtIso":"2026-03-02T08:00:00.000Z","isInUse":true,"readerInstanceIds":["ri_1","ri_2"]}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}

    $ pubctl domains list --all --fields id,description
    > GET /v1/domains
    dom_1⇥our shop
    dom_2⇥
  `)
  expect(await type('pubctl domains list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl domains list
    > GET /v1/domains
    DOMAIN              DESCRIPTION  IN USE  CREATED           ID
    reader.example.org  our shop     yes     2026-03-01 08:00  dom_1
    old.example.org                  no      2026-03-01 08:00  dom_2
  `)
  const empty = await transcriptOf({ 'GET /v1/domains': { items: [] } })
  expect(await empty.type('pubctl domains list')).toMatchInlineSnapshot(`
    $ pubctl domains list
    > GET /v1/domains
  `)
})

it('domains get', async () => {
  const { type } = await service()
  expect(
    await type(['pubctl domains get dom_1', 'pubctl domains get dom_1 --json', 'pubctl domains get dom_9']),
  ).toMatchInlineSnapshot(`
    $ pubctl domains get dom_1
    > GET /v1/domains/dom_1
    dom_1⇥reader.example.org⇥our shop⇥true⇥2026-03-01T08:00:00.000Z

    $ pubctl domains get dom_1 --json
    > GET /v1/domains/dom_1
    {"id":"dom_1","domain":"reader.example.org","description":"our shop","createdAtIso":"2026-03-01T08:00:00.000Z","updatedAtIso":"2026-03-02T08:00:00.000Z","isInUse":true,"readerInstanceIds":["ri_1","ri_2"]}

    $ pubctl domains get dom_9
    > GET /v1/domains/dom_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
  expect(await type('pubctl domains get dom_1', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl domains get dom_1
    > GET /v1/domains/dom_1
    id                   dom_1
    domain               reader.example.org
    description          our shop
    in use               yes
    reader instance ids  ri_1; ri_2
    created              2026-03-01 08:00
    updated              2026-03-02 08:00
  `)
})

it('domains create', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl domains create new.example.org',
      'pubctl domains create new.example.org --description "our new shop" --json',
      'pubctl domains create new.example.org --description "our new shop" --dry-run',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl domains create new.example.org
    > POST /v1/domains {"domain":"new.example.org"}
    dom_3⇥new.example.org⇥our shop⇥true⇥2026-03-01T08:00:00.000Z
    ! Reader instances may now be embedded on new.example.org.

    $ pubctl domains create new.example.org --description "our new shop" --json
    > POST /v1/domains {"domain":"new.example.org","description":"our new shop"}
    {"id":"dom_3","domain":"new.example.org","description":"our shop","createdAtIso":"2026-03-01T08:00:00.000Z","updatedAtIso":"2026-03-02T08:00:00.000Z","isInUse":true,"readerInstanceIds":["ri_1","ri_2"]}

    $ pubctl domains create new.example.org --description "our new shop" --dry-run
    POST⇥http://service/v1/domains⇥{"domain":"new.example.org","description":"our new shop"}
  `)
})

it('domains create names the domain also where the answer does not', async () => {
  const { type } = await transcriptOf({ 'POST /v1/domains': {} })
  expect(await type('pubctl domains create new.example.org')).toMatchInlineSnapshot(`
    $ pubctl domains create new.example.org
    > POST /v1/domains {"domain":"new.example.org"}
    ⇥⇥⇥⇥
    ! Reader instances may now be embedded on new.example.org.
  `)
})

it('domains update', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl domains update dom_1 --description changed',
      'pubctl domains update dom_1 --description changed --dry-run --json',
      'pubctl domains update dom_1',
      'pubctl domains update dom_9 --description changed --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl domains update dom_1 --description changed
    > PATCH /v1/domains/dom_1 {"description":"changed"}
    dom_1⇥reader.example.org⇥changed⇥true⇥2026-03-01T08:00:00.000Z

    $ pubctl domains update dom_1 --description changed --dry-run --json
    [
    {"method":"PATCH","url":"http://service/v1/domains/dom_1","body":{"description":"changed"}}
    ]

    $ pubctl domains update dom_1
    ! error: required option "--description <text>" not specified
    !   Add --help to see what fits.
    exit 2

    $ pubctl domains update dom_9 --description changed --json
    > PATCH /v1/domains/dom_9 {"description":"changed"}
    ! {"error":{"code":"EMPTY_RESPONSE","message":"There is none.","status":404,"requestId":"req_1","details":null,"hint":"Check the id; the matching \\"list\\" command shows those that exist.","exitCode":5}}
    exit 5
  `)
})

it('domains delete', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl domains delete dom_2 --yes',
      'pubctl domains delete dom_1 --yes --json',
      'pubctl domains delete dom_1 dom_2 dom_9 dom_2 --yes --json',
      'pubctl domains delete dom_1 dom_2 --dry-run',
      'pubctl domains delete dom_1',
      'pubctl domains delete dom_1 dom_2 --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl domains delete dom_2 --yes
    > DELETE /v1/domains/dom_2
    dom_2⇥old.example.org⇥⇥false⇥2026-03-01T08:00:00.000Z

    $ pubctl domains delete dom_1 --yes --json
    > DELETE /v1/domains/dom_1
    ! {"error":{"code":"INVALID_REQUEST","message":"The domain is in use.","status":400,"requestId":"req_1","details":null,"hint":null,"exitCode":6}}
    exit 6

    $ pubctl domains delete dom_1 dom_2 dom_9 dom_2 --yes --json
    > DELETE /v1/domains/dom_1
    > DELETE /v1/domains/dom_2
    > DELETE /v1/domains/dom_9
    [
    {"id":"dom_2","domain":"old.example.org","description":null,"createdAtIso":"2026-03-01T08:00:00.000Z","updatedAtIso":"2026-03-02T08:00:00.000Z","isInUse":false,"readerInstanceIds":["ri_1","ri_2"]}
    ]
    ! {"error":{"code":"part_failed","message":"2 of 3 failed","status":null,"requestId":null,"details":[{"message":"The domain is in use.","path":["dom_1"],"code":"INVALID_REQUEST","exitCode":6},{"message":"There is none.","path":["dom_9"],"code":"EMPTY_RESPONSE","exitCode":5,"hint":"Check the id; the matching \\"list\\" command shows those that exist."}],"hint":null,"exitCode":10}}
    exit 10

    $ pubctl domains delete dom_1 dom_2 --dry-run
    DELETE⇥http://service/v1/domains/dom_1⇥
    DELETE⇥http://service/v1/domains/dom_2⇥

    $ pubctl domains delete dom_1
    ! error: pubctl needs an answer to "Delete this domain?", and cannot ask here
    !   Pass --yes.
    exit 9

    $ pubctl domains delete dom_1 dom_2 --json
    ! {"error":{"code":"input_needed","message":"pubctl needs an answer to \\"Delete 2 domains?\\", and cannot ask here","status":null,"requestId":null,"details":null,"hint":"Pass --yes.","exitCode":9}}
    exit 9
  `)
})

it('domains delete asks a person', async () => {
  const { answer } = await service()
  const question = /\(y\/N\)/
  expect(await answer('pubctl domains delete dom_2', [question, 'y\r'])).toMatchInlineSnapshot(`
    $ pubctl domains delete dom_2
    > GET /v1/domains/dom_2
    > DELETE /v1/domains/dom_2
    id                   dom_2
    domain               old.example.org
    in use               no
    reader instance ids  ri_1; ri_2
    created              2026-03-01 08:00
    updated              2026-03-02 08:00
    !   dom_2  old.example.org
    ! ✔ Delete this domain? Yes
  `)
  expect(await answer('pubctl domains delete dom_2 dom_9')).toMatchInlineSnapshot(`
    $ pubctl domains delete dom_2 dom_9
    > GET /v1/domains/dom_2
    > GET /v1/domains/dom_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
  expect(await answer('pubctl domains delete dom_2 dom_1', [question, '\r'])).toMatchInlineSnapshot(`
    $ pubctl domains delete dom_2 dom_1
    > GET /v1/domains/dom_2
    > GET /v1/domains/dom_1
    !   dom_2  old.example.org
    !   dom_1  reader.example.org
    ! ✔ Delete 2 domains? No
    ! error: nothing was deleted
    exit 2
  `)
})
