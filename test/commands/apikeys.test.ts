import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'

const key = {
  id: 'key_1',
  name: 'Upload robot',
  organisationId: 'org_1',
  userId: 'user_1',
  keyId: 'k1',
  prefix: 'pk_live',
  suffix: '6789',
  scopes: ['read', 'write'],
  status: 'active',
  created: '2026-01-02T03:04:05.000Z',
  lastUsed: null,
  expires: '2027-01-02T03:04:05.000Z',
  revoked: null,
}
const old = {
  ...key,
  ...{ id: 'key_2', name: 'Old', scopes: ['read'], status: 'inactive' },
  lastUsed: '2026-02-03T04:05:06.000Z',
  revoked: '2026-03-04T05:06:07.000Z',
}

const service = () =>
  transcriptOf({
    'GET /v1/apikeys': { items: [key, old] },
    'GET /v1/apikeys/key_1': { item: key },
    'GET /v1/apikeys/key_2': { item: old },
    'PATCH /v1/apikeys/key_1': ({ body }) => ({ item: { ...key, ...JSON.parse(String(body)) } }),
    'DELETE /v1/apikeys/key_1': refused(403, 'AUTHENTICATION_ERROR', 'A key cannot delete itself.'),
    'DELETE /v1/apikeys/key_2': { item: old },
  })

it('apikeys list', async () => {
  const { type } = await service()
  expect(
    await type(['pubctl apikeys list', 'pubctl apikeys list --limit 1 -o ndjson']),
  ).toMatchInlineSnapshot(`
    $ pubctl apikeys list
    > GET /v1/apikeys
    key_1⇥Upload robot⇥pk_live⇥6789⇥read; write⇥active⇥2026-01-02T03:04:05.000Z⇥
    key_2⇥Old⇥pk_live⇥6789⇥read⇥inactive⇥2026-01-02T03:04:05.000Z⇥2026-02-03T04:05:06.000Z

    $ pubctl apikeys list --limit 1 -o ndjson
    > GET /v1/apikeys
    {"id":"key_1","name":"Upload robot","organisationId":"org_1","userId":"user_1","keyId":"k1","prefix":"pk_live","suffix":"6789","scopes":["read","write"],"status":"active","created":"2026-01-02T03:04:05.000Z","lastUsed":null,"expires":"2027-01-02T03:04:05.000Z","revoked":null}
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
  `)
  expect(await type('pubctl apikeys list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl apikeys list
    > GET /v1/apikeys
    NAME          PREFIX   SUFFIX  SCOPES       STATUS    CREATED           ID
    Upload robot  pk_live  6789    read; write  active    2026-01-02 03:04  key_1
    Old           pk_live  6789    read         inactive  2026-01-02 03:04  key_2
    ! There was no room for last used; --fields names what to show.
  `)
  expect(await type('pubctl apikeys list', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl apikeys list
    > GET /v1/apikeys
    NAME          PREFIX   SUFFIX  SCOPES       STATUS    CREATED           LAST USED         ID
    Upload robot  pk_live  6789    read; write  active    2026-01-02 03:04                    key_1
    Old           pk_live  6789    read         inactive  2026-01-02 03:04  2026-02-03 04:05  key_2
  `)
})

it('apikeys list warns of keys that have expired or soon will, and of those that nobody uses', async () => {
  const keys = [
    { ...key, id: 'key_3', name: 'Next month', expires: '2026-04-04T11:00:00.000Z' },
    { ...key, id: 'key_4', name: 'Later', expires: '2026-04-04T13:00:00.000Z' },
    { ...key, id: 'key_5', name: 'Past', expires: '2026-03-01T00:00:00.000Z' },
    { ...key, id: 'key_6', name: 'Forgotten', lastUsed: '2025-12-05T11:00:00.000Z' },
    { ...key, id: 'key_7', name: 'Rare', lastUsed: '2025-12-05T13:00:00.000Z' },
    { ...key, id: 'key_8', name: 'Never', created: '2025-01-02T03:04:05.000Z' },
    { ...old, id: 'key_9', name: 'Off', expires: '2026-03-06T00:00:00.000Z' },
    { ...old, id: 'key_10', name: 'Revoked', status: 'active', expires: '2026-03-06T00:00:00.000Z' },
  ]
  const { type } = await transcriptOf({ 'GET /v1/apikeys': { items: keys } })
  expect(await type('pubctl apikeys list --fields id')).toMatchInlineSnapshot(`
    $ pubctl apikeys list --fields id
    > GET /v1/apikeys
    key_3
    key_4
    key_5
    key_6
    key_7
    key_8
    key_9
    key_10
    ! warning: an API key has expired: Past (key_5, on 2026-03-01)
    !   Delete what nobody needs: pubctl apikeys delete <id>
    ! warning: an API key has at most 30 days left: Next month (key_3, until 2026-04-04)
    !   Give what uses it a new key before that day.
    ! warning: 2 API keys have not been used for 90 days: Forgotten (key_6, last on 2025-12-05), Never (key_8, never)
    !   Switch off what nobody needs: pubctl apikeys update <id> --status inactive
  `)
  expect(
    await type(['pubctl apikeys list --limit 1 -o ndjson --fields id', 'pubctl apikeys list --fields id -q']),
  ).toMatchInlineSnapshot(`
    $ pubctl apikeys list --limit 1 -o ndjson --fields id
    > GET /v1/apikeys
    {"id":"key_3"}
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
    ! {"warning":{"code":"key_expires","message":"an API key has at most 30 days left: Next month (key_3, until 2026-04-04)","hint":"Give what uses it a new key before that day."}}

    $ pubctl apikeys list --fields id -q
    > GET /v1/apikeys
    key_3
    key_4
    key_5
    key_6
    key_7
    key_8
    key_9
    key_10
  `)
})

it('apikeys list names few of many keys in a warning', async () => {
  const items = Array.from({ length: 7 }, (_, index) => ({
    ...key,
    ...{ id: `key_${index}`, name: `Robot ${index}`, lastUsed: '2025-01-01T00:00:00.000Z' },
  }))
  const { type } = await transcriptOf({ 'GET /v1/apikeys': { items } })
  expect(await type('pubctl apikeys list --fields status --query length(@)')).toMatchInlineSnapshot(`
    $ pubctl apikeys list --fields status --query length(@)
    > GET /v1/apikeys
    7
    ! warning: 7 API keys have not been used for 90 days: Robot 0 (key_0, last on 2025-01-01), Robot 1 (key_1, last on 2025-01-01), Robot 2 (key_2, last on 2025-01-01), Robot 3 (key_3, last on 2025-01-01), Robot 4 (key_4, last on 2025-01-01), 2 more
    !   Switch off what nobody needs: pubctl apikeys update <id> --status inactive
  `)
})

it('apikeys get', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl apikeys get key_1',
      'pubctl apikeys get key_1 --json',
      'pubctl apikeys get key_9 --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl apikeys get key_1
    > GET /v1/apikeys/key_1
    key_1⇥Upload robot⇥pk_live⇥6789⇥read; write⇥active⇥2026-01-02T03:04:05.000Z⇥

    $ pubctl apikeys get key_1 --json
    > GET /v1/apikeys/key_1
    {"id":"key_1","name":"Upload robot","organisationId":"org_1","userId":"user_1","keyId":"k1","prefix":"pk_live","suffix":"6789","scopes":["read","write"],"status":"active","created":"2026-01-02T03:04:05.000Z","lastUsed":null,"expires":"2027-01-02T03:04:05.000Z","revoked":null}

    $ pubctl apikeys get key_9 --json
    > GET /v1/apikeys/key_9
    ! {"error":{"code":"EMPTY_RESPONSE","message":"There is none.","status":404,"requestId":"req_1","details":null,"hint":"Check the id; the matching \\"list\\" command shows those that exist.","exitCode":5}}
    exit 5
  `)
  expect(await type('pubctl apikeys get key_2', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl apikeys get key_2
    > GET /v1/apikeys/key_2
    id         key_2
    name       Old
    prefix     pk_live
    suffix     6789
    scopes     read
    status     inactive
    created    2026-01-02 03:04
    last used  2026-02-03 04:05
    expires    2027-01-02 03:04
    revoked    2026-03-04 05:06
    key id     k1
    user id    user_1
  `)
})

it('apikeys update', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl apikeys update key_1 --name Robot',
      'pubctl apikeys update key_1 --scope read --scope delete',
      'pubctl apikeys update key_1 --scope read,write --status inactive --fields scopes,status',
      'pubctl apikeys update key_1 --status inactive --fields status',
      'pubctl apikeys update key_1 --name Robot --status active --dry-run',
      'pubctl apikeys update key_1',
      'pubctl apikeys update key_1 --scope red',
      'pubctl apikeys update key_1 --status off --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl apikeys update key_1 --name Robot
    > PATCH /v1/apikeys/key_1 {"name":"Robot"}
    key_1⇥Robot⇥pk_live⇥6789⇥read; write⇥active⇥2026-01-02T03:04:05.000Z⇥

    $ pubctl apikeys update key_1 --scope read --scope delete
    > PATCH /v1/apikeys/key_1 {"scopes":["read","delete"]}
    key_1⇥Upload robot⇥pk_live⇥6789⇥read; delete⇥active⇥2026-01-02T03:04:05.000Z⇥

    $ pubctl apikeys update key_1 --scope read,write --status inactive --fields scopes,status
    > PATCH /v1/apikeys/key_1 {"scopes":["read","write"],"status":"inactive"}
    read; write⇥inactive

    $ pubctl apikeys update key_1 --status inactive --fields status
    > PATCH /v1/apikeys/key_1 {"status":"inactive"}
    inactive

    $ pubctl apikeys update key_1 --name Robot --status active --dry-run
    PATCH⇥http://service/v1/apikeys/key_1⇥{"name":"Robot","status":"active"}

    $ pubctl apikeys update key_1
    ! error: there is nothing to change
    !   Name --name, --scope or --status.
    exit 2

    $ pubctl apikeys update key_1 --scope red
    ! error: --scope: "red" is not one of its values; did you mean "read"?
    !   The values are read, write, delete.
    exit 2

    $ pubctl apikeys update key_1 --status off --json
    ! {"error":{"code":"usage","message":"--status: \\"off\\" is not one of its values","status":null,"requestId":null,"details":null,"hint":"The values are active, inactive.","exitCode":2}}
    exit 2
  `)
})

it('apikeys delete', async () => {
  const { type, answer } = await service()
  expect(
    await type([
      'pubctl apikeys delete key_2 --yes',
      'pubctl apikeys delete key_2 --dry-run',
      'pubctl apikeys delete key_2',
      'pubctl apikeys delete key_9 key_2 --yes',
      'pubctl apikeys delete key_1 --yes',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl apikeys delete key_2 --yes
    > DELETE /v1/apikeys/key_2
    key_2⇥Old⇥pk_live⇥6789⇥read⇥inactive⇥2026-01-02T03:04:05.000Z⇥2026-02-03T04:05:06.000Z

    $ pubctl apikeys delete key_2 --dry-run
    DELETE⇥http://service/v1/apikeys/key_2⇥

    $ pubctl apikeys delete key_2
    ! error: pubctl needs an answer to "Delete this API key?", and cannot ask here
    !   Pass --yes.
    exit 9

    $ pubctl apikeys delete key_9 key_2 --yes
    > DELETE /v1/apikeys/key_9
    > DELETE /v1/apikeys/key_2
    key_2⇥Old⇥pk_live⇥6789⇥read⇥inactive⇥2026-01-02T03:04:05.000Z⇥2026-02-03T04:05:06.000Z
    ! error: 1 of 2 failed
    !   key_9: There is none.
    !     Check the id; the matching "list" command shows those that exist.
    exit 10

    $ pubctl apikeys delete key_1 --yes
    > DELETE /v1/apikeys/key_1
    ! error: A key cannot delete itself.
    !   request id: req_1
    !   The key may lack the scope for this; "pubctl whoami" shows its scopes.
    exit 4
  `)
  expect(await answer('pubctl apikeys delete key_2', [/\(y\/N\)/, 'n\r'])).toMatchInlineSnapshot(`
    $ pubctl apikeys delete key_2
    > GET /v1/apikeys/key_2
    !   key_2  Old
    ! ✔ Delete this API key? No
    ! error: nothing was deleted
    exit 2
  `)
})
