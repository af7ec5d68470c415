import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'

const summary = {
  id: 'ri_1',
  name: 'Shop reader',
  description: 'for the shop',
  isSampleOnly: false,
  isDefault: true,
  securityLevel: ['drm'],
  createdAtIso: '2026-01-02T03:04:05.000Z',
  updatedAtIso: '2026-02-03T04:05:06.000Z',
}
const samples = {
  ...summary,
  id: 'ri_2',
  name: 'Samples',
  description: null,
  isSampleOnly: true,
  isDefault: false,
}
const whole = {
  ...summary,
  permittedDomains: ['reader.example.org'],
  configuration: { plan: 'pro', version: '3', private: { authentication: { authType: 'jwt' } } },
}

const service = () =>
  transcriptOf({
    'GET /v1/reader-instances?limit=50': { items: [summary], nextToken: 'second page' },
    'GET /v1/reader-instances?limit=49&nextToken=second+page': { items: [samples], nextToken: null },
    'GET /v1/reader-instances?limit=50&nextToken=second+page': { items: [samples], nextToken: null },
    'GET /v1/reader-instances?limit=1': { items: [summary], nextToken: 'second page' },
    'GET /v1/reader-instances/ri_1': { item: whole },
    'GET /v1/reader-instances/ri_2': { item: samples },
    'POST /v1/reader-instances/ri_1/copy': { item: { ...whole, id: 'ri_3', name: 'Shop reader (copy)' } },
    'DELETE /v1/reader-instances/ri_1': refused(409, 'CONFLICT', 'The default cannot be deleted.'),
    'DELETE /v1/reader-instances/ri_2': { item: samples },
  })

it('reader-instances list', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl reader-instances list',
      'pubctl reader-instances list --all -o ndjson --fields id',
      'pubctl reader-instances list --limit 1 --json --fields id,isDefault',
      'pubctl reader-instances list --limit 1 --all',
      'pubctl reader-instances list --limit 0',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-instances list
    > GET /v1/reader-instances?limit=50
    > GET /v1/reader-instances?limit=49&nextToken=second+page
    ri_1⇥Shop reader⇥for the shop⇥true⇥false⇥drm⇥2026-02-03T04:05:06.000Z
    ri_2⇥Samples⇥⇥false⇥true⇥drm⇥2026-02-03T04:05:06.000Z

    $ pubctl reader-instances list --all -o ndjson --fields id
    > GET /v1/reader-instances?limit=50
    > GET /v1/reader-instances?limit=50&nextToken=second+page
    {"id":"ri_1"}
    {"id":"ri_2"}

    $ pubctl reader-instances list --limit 1 --json --fields id,isDefault
    > GET /v1/reader-instances?limit=1
    [
    {"id":"ri_1","isDefault":true}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}

    $ pubctl reader-instances list --limit 1 --all
    ! error: option "--limit <count>" cannot be used with option "--all"
    !   Add --help to see what fits.
    exit 2

    $ pubctl reader-instances list --limit 0
    ! error: --limit: "0" is not a whole number of at least 1
    !   Write it like 20.
    exit 2
  `)
  expect(await type('pubctl reader-instances list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl reader-instances list
    > GET /v1/reader-instances?limit=50
    > GET /v1/reader-instances?limit=49&nextToken=second+page
    NAME         DESCRIPTION   DEFAULT  SAMPLE ONLY  SECURITY LEVEL  ID
    Shop reader  for the shop  yes      no           drm             ri_1
    Samples                    no       yes          drm             ri_2
    ! There was no room for updated; --fields names what to show.
  `)
  expect(await type('pubctl reader-instances list', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl reader-instances list
    > GET /v1/reader-instances?limit=50
    > GET /v1/reader-instances?limit=49&nextToken=second+page
    NAME         DESCRIPTION   DEFAULT  SAMPLE ONLY  SECURITY LEVEL  UPDATED           ID
    Shop reader  for the shop  yes      no           drm             2026-02-03 04:05  ri_1
    Samples                    no       yes          drm             2026-02-03 04:05  ri_2
  `)
})

it('reader-instances get', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl reader-instances get ri_1',
      'pubctl reader-instances get ri_1 --json --fields configuration',
      'pubctl reader-instances get ri_9 --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-instances get ri_1
    > GET /v1/reader-instances/ri_1
    ri_1⇥Shop reader⇥for the shop⇥true⇥false⇥drm⇥2026-02-03T04:05:06.000Z

    $ pubctl reader-instances get ri_1 --json --fields configuration
    > GET /v1/reader-instances/ri_1
    {"configuration":{"plan":"pro","version":"3","private":{"authentication":{"authType":"jwt"}}}}

    $ pubctl reader-instances get ri_9 --json
    > GET /v1/reader-instances/ri_9
    ! {"error":{"code":"EMPTY_RESPONSE","message":"There is none.","status":404,"requestId":"req_1","details":null,"hint":"Check the id; the matching \\"list\\" command shows those that exist.","exitCode":5}}
    exit 5
  `)
  expect(await type('pubctl reader-instances get ri_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl reader-instances get ri_1
    > GET /v1/reader-instances/ri_1
    id                 ri_1
    name               Shop reader
    description        for the shop
    default            yes
    sample only        no
    security level     drm
    updated            2026-02-03 04:05
    permitted domains  reader.example.org
    plan               pro
    version            3
    auth type          jwt
    created            2026-01-02 03:04
  `)
})

it('reader-instances copy', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl reader-instances copy ri_1',
      'pubctl reader-instances copy ri_1 --dry-run --json',
      'pubctl reader-instances copy ri_9',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-instances copy ri_1
    > POST /v1/reader-instances/ri_1/copy
    ri_3⇥Shop reader (copy)⇥for the shop⇥true⇥false⇥drm⇥2026-02-03T04:05:06.000Z

    $ pubctl reader-instances copy ri_1 --dry-run --json
    [
    {"method":"POST","url":"http://service/v1/reader-instances/ri_1/copy"}
    ]

    $ pubctl reader-instances copy ri_9
    > POST /v1/reader-instances/ri_9/copy
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
})

it('reader-instances delete', async () => {
  const { type, answer } = await service()
  expect(
    await type([
      'pubctl reader-instances delete ri_2 --yes',
      'pubctl reader-instances delete ri_2 ri_1 --yes',
      'pubctl reader-instances delete ri_1 --yes',
      'pubctl reader-instances delete ri_1 ri_2 --dry-run --json',
      'pubctl reader-instances delete ri_1 ri_2',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-instances delete ri_2 --yes
    > DELETE /v1/reader-instances/ri_2
    ri_2⇥Samples⇥⇥false⇥true⇥drm⇥2026-02-03T04:05:06.000Z

    $ pubctl reader-instances delete ri_2 ri_1 --yes
    > DELETE /v1/reader-instances/ri_2
    > DELETE /v1/reader-instances/ri_1
    ri_2⇥Samples⇥⇥false⇥true⇥drm⇥2026-02-03T04:05:06.000Z
    ! error: 1 of 2 failed
    !   ri_1: The default cannot be deleted.
    exit 10

    $ pubctl reader-instances delete ri_1 --yes
    > DELETE /v1/reader-instances/ri_1
    ! error: The default cannot be deleted.
    !   request id: req_1
    exit 6

    $ pubctl reader-instances delete ri_1 ri_2 --dry-run --json
    [
    {"method":"DELETE","url":"http://service/v1/reader-instances/ri_1"},
    {"method":"DELETE","url":"http://service/v1/reader-instances/ri_2"}
    ]

    $ pubctl reader-instances delete ri_1 ri_2
    ! error: pubctl needs an answer to "Delete 2 reader instances?", and cannot ask here
    !   Pass --yes.
    exit 9
  `)
  expect(
    await answer('pubctl reader-instances delete ri_1 ri_2', [/\(y\/N\)/, 'n\r']),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-instances delete ri_1 ri_2
    > GET /v1/reader-instances/ri_1
    > GET /v1/reader-instances/ri_2
    !   ri_1  Shop reader
    !   ri_2  Samples
    ! ✔ Delete 2 reader instances? No
    ! error: nothing was deleted
    exit 2
  `)
})
