import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine } from '../support/machine/pubctl.ts'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

it('a key in use is neither archived nor deleted', async () => {
  const { home, sandbox } = machine()
  const book = join(home, 'book.epub')
  writeFileSync(book, await makeExampleEpub())
  const key = JSON.parse((await sandbox(['metadata-keys', 'create', 'series', '--json'])).out)
  await sandbox(['publications', 'upload', book, '--metadata', 'series=One'])
  const { code, out, err } = await sandbox([
    'metadata-keys',
    'delete',
    key.id,
    '--archive',
    '--yes',
    '--json',
  ])
  expect({ code, out, error: JSON.parse(err).error }).toMatchObject({
    code: 6,
    out: '',
    error: {
      code: 'key_in_use',
      message: 'the metadata key series is in use, so it was neither archived nor deleted',
      hint: 'Editions have values for it. To archive it all the same: pubctl metadata-keys archive',
    },
  })
  const [left] = JSON.parse((await sandbox(['metadata-keys', 'list', '--json'])).out)
  expect(left).toMatchObject({ id: key.id, status: 'active', isInUse: true })
})

/** A service with one active key, which refuses to delete it with a status. */
async function refusing(status: number, restores = 200) {
  let state = 'active'
  const { url, received } = await serve(({ method, body }, response) => {
    const item = { id: 'key_1', key: 'series', isInUse: false }
    const context = {}
    if (method === 'DELETE')
      return json(response, status, { error: 'INVALID_REQUEST', message: 'no', context })
    if (method === 'GET') return json(response, 200, { items: [{ ...item, status: state }], context })
    const wanted = JSON.parse(String(body)).status
    if (wanted === 'active' && restores !== 200)
      return json(response, restores, { error: 'INVALID_REQUEST', message: 'no', context })
    state = wanted
    json(response, 200, { item: { ...item, status: state }, context })
  })
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  return {
    ...own,
    changes: () =>
      received.filter(({ method }) => method !== 'GET').map(({ method, body }) => `${method} ${body}`),
  }
}

const staysArchived = 'It is archived now. To make it active again: pubctl metadata-keys restore key_1'

it.each([
  { status: 400, restores: 200, hint: 'It was archived for this, and is active again.', restored: true },
  { status: 400, restores: 403, hint: staysArchived },
  { status: 499, restores: 200, hint: 'It was archived for this, and is active again.', restored: true },
  { status: 500, restores: 200, hint: staysArchived },
])('a key whose deletion fails with $status (restoring: $restores) is told of', async each => {
  const { run, changes } = await refusing(each.status, each.restores)
  const { err } = await run(['metadata-keys', 'delete', 'key_1', '--archive', '--yes', '--json'])
  expect(JSON.parse(err).error).toMatchObject({ status: each.status, hint: each.hint })
  const tried = each.status < 500 ? ['PATCH {"status":"active"}'] : []
  expect(changes()).toEqual(['PATCH {"status":"archived"}', 'DELETE ', ...tried])
})

const series = {
  id: 'mk_1',
  key: 'series',
  label: 'Series',
  origin: 'custom',
  mutability: 'editable',
  status: 'active',
  isInUse: false,
  createdAtIso: '2026-01-02T03:04:05.000Z',
  archivedAtIso: null,
}
const retired = { ...series, id: 'mk_2', key: 'imprint', label: null, status: 'archived' }

const withKeys = () =>
  transcriptOf({
    'GET /v1/resources/metadata-keys': { items: [series, retired, { ...series, id: 'mk_3' }] },
    'POST /v1/resources/metadata-keys': ({ body }) => ({ item: { ...series, ...JSON.parse(String(body)) } }),
    'PATCH /v1/resources/metadata-keys/mk_1': ({ body }) => ({
      item: { ...series, ...JSON.parse(String(body)) },
    }),
    'PATCH /v1/resources/metadata-keys/mk_2': ({ body }) => ({
      item: { ...retired, ...JSON.parse(String(body)) },
    }),
    'DELETE /v1/resources/metadata-keys/mk_1': refused(400, 'INVALID_REQUEST', 'The key is active.'),
    'DELETE /v1/resources/metadata-keys/mk_3': refused(403, 'AUTHENTICATION_ERROR', 'Not yours to delete.'),
    'DELETE /v1/resources/metadata-keys/mk_2': { item: retired },
  })

it('metadata-keys list', async () => {
  const { type } = await withKeys()
  expect(
    await type(['pubctl metadata-keys list', 'pubctl metadata-keys list --json --limit 1']),
  ).toMatchInlineSnapshot(`
    $ pubctl metadata-keys list
    > GET /v1/resources/metadata-keys
    mk_1⇥series⇥Series⇥active⇥false⇥2026-01-02T03:04:05.000Z
    mk_2⇥imprint⇥⇥archived⇥false⇥2026-01-02T03:04:05.000Z
    mk_3⇥series⇥Series⇥active⇥false⇥2026-01-02T03:04:05.000Z

    $ pubctl metadata-keys list --json --limit 1
    > GET /v1/resources/metadata-keys
    [
    {"id":"mk_1","key":"series","label":"Series","origin":"custom","mutability":"editable","status":"active","isInUse":false,"createdAtIso":"2026-01-02T03:04:05.000Z","archivedAtIso":null}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
  `)
  expect(await type('pubctl metadata-keys list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl metadata-keys list
    > GET /v1/resources/metadata-keys
    ID    KEY      LABEL   STATUS    IN USE  CREATED
    mk_1  series   Series  active    no      2026-01-02 03:04
    mk_2  imprint          archived  no      2026-01-02 03:04
    mk_3  series   Series  active    no      2026-01-02 03:04
  `)
})

it('metadata-keys create', async () => {
  const { type } = await withKeys()
  expect(
    await type([
      'pubctl metadata-keys create colour',
      'pubctl metadata-keys create colour --label Colour --json',
      'pubctl metadata-keys create colour --label Colour --dry-run',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl metadata-keys create colour
    > POST /v1/resources/metadata-keys {"key":"colour"}
    mk_1⇥colour⇥Series⇥active⇥false⇥2026-01-02T03:04:05.000Z

    $ pubctl metadata-keys create colour --label Colour --json
    > POST /v1/resources/metadata-keys {"key":"colour","label":"Colour"}
    {"id":"mk_1","key":"colour","label":"Colour","origin":"custom","mutability":"editable","status":"active","isInUse":false,"createdAtIso":"2026-01-02T03:04:05.000Z","archivedAtIso":null}

    $ pubctl metadata-keys create colour --label Colour --dry-run
    POST⇥http://service/v1/resources/metadata-keys⇥{"key":"colour","label":"Colour"}
  `)
  expect(await type('pubctl metadata-keys create colour', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl metadata-keys create colour
    > POST /v1/resources/metadata-keys {"key":"colour"}
    id          mk_1
    key         colour
    label       Series
    status      active
    in use      no
    origin      custom
    mutability  editable
    created     2026-01-02 03:04
  `)
})

it('metadata-keys archive and restore', async () => {
  const { type } = await withKeys()
  expect(
    await type([
      'pubctl metadata-keys archive mk_1',
      'pubctl metadata-keys archive mk_1 mk_9 mk_2',
      'pubctl metadata-keys archive mk_1 --dry-run',
      'pubctl metadata-keys restore mk_2',
      'pubctl metadata-keys restore mk_1 mk_2 --dry-run --json',
      'pubctl metadata-keys restore mk_9',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl metadata-keys archive mk_1
    > PATCH /v1/resources/metadata-keys/mk_1 {"status":"archived"}
    mk_1⇥series⇥Series⇥archived⇥false⇥2026-01-02T03:04:05.000Z

    $ pubctl metadata-keys archive mk_1 mk_9 mk_2
    > PATCH /v1/resources/metadata-keys/mk_1 {"status":"archived"}
    > PATCH /v1/resources/metadata-keys/mk_9 {"status":"archived"}
    > PATCH /v1/resources/metadata-keys/mk_2 {"status":"archived"}
    mk_1⇥series⇥Series⇥archived⇥false⇥2026-01-02T03:04:05.000Z
    mk_2⇥imprint⇥⇥archived⇥false⇥2026-01-02T03:04:05.000Z
    ! error: 1 of 3 failed
    !   mk_9: There is none.
    !     Check the id; the matching "list" command shows those that exist.
    exit 10

    $ pubctl metadata-keys archive mk_1 --dry-run
    PATCH⇥http://service/v1/resources/metadata-keys/mk_1⇥{"status":"archived"}

    $ pubctl metadata-keys restore mk_2
    > PATCH /v1/resources/metadata-keys/mk_2 {"status":"active"}
    mk_2⇥imprint⇥⇥active⇥false⇥2026-01-02T03:04:05.000Z

    $ pubctl metadata-keys restore mk_1 mk_2 --dry-run --json
    [
    {"method":"PATCH","url":"http://service/v1/resources/metadata-keys/mk_1","body":{"status":"active"}},
    {"method":"PATCH","url":"http://service/v1/resources/metadata-keys/mk_2","body":{"status":"active"}}
    ]

    $ pubctl metadata-keys restore mk_9
    > PATCH /v1/resources/metadata-keys/mk_9 {"status":"active"}
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
})

it('metadata-keys delete', async () => {
  const { type, answer } = await withKeys()
  expect(
    await type([
      'pubctl metadata-keys delete mk_2 --yes',
      'pubctl metadata-keys delete mk_1 --yes',
      'pubctl metadata-keys delete mk_1 --archive --yes',
      'pubctl metadata-keys delete mk_2 --archive --yes --fields id',
      'pubctl metadata-keys delete mk_1 --archive --dry-run',
      'pubctl metadata-keys delete mk_1 mk_2 --yes --json',
      'pubctl metadata-keys delete mk_1',
      'pubctl metadata-keys delete mk_3 --yes',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl metadata-keys delete mk_2 --yes
    > DELETE /v1/resources/metadata-keys/mk_2
    mk_2⇥imprint⇥⇥archived⇥false⇥2026-01-02T03:04:05.000Z

    $ pubctl metadata-keys delete mk_1 --yes
    > DELETE /v1/resources/metadata-keys/mk_1
    > GET /v1/resources/metadata-keys
    ! error: The key is active.
    !   request id: req_1
    !   An active key must be archived first: add --archive, or run "pubctl metadata-keys archive".
    exit 6

    $ pubctl metadata-keys delete mk_1 --archive --yes
    > GET /v1/resources/metadata-keys
    > PATCH /v1/resources/metadata-keys/mk_1 {"status":"archived"}
    > DELETE /v1/resources/metadata-keys/mk_1
    > PATCH /v1/resources/metadata-keys/mk_1 {"status":"active"}
    ! error: The key is active.
    !   request id: req_1
    !   It was archived for this, and is active again.
    exit 6

    $ pubctl metadata-keys delete mk_2 --archive --yes --fields id
    > GET /v1/resources/metadata-keys
    > DELETE /v1/resources/metadata-keys/mk_2
    mk_2

    $ pubctl metadata-keys delete mk_1 --archive --dry-run
    > GET /v1/resources/metadata-keys
    PATCH⇥http://service/v1/resources/metadata-keys/mk_1⇥{"status":"archived"}
    DELETE⇥http://service/v1/resources/metadata-keys/mk_1⇥

    $ pubctl metadata-keys delete mk_1 mk_2 --yes --json
    > DELETE /v1/resources/metadata-keys/mk_1
    > GET /v1/resources/metadata-keys
    > DELETE /v1/resources/metadata-keys/mk_2
    [
    {"id":"mk_2","key":"imprint","label":null,"origin":"custom","mutability":"editable","status":"archived","isInUse":false,"createdAtIso":"2026-01-02T03:04:05.000Z","archivedAtIso":null}
    ]
    ! {"error":{"code":"part_failed","message":"1 of 2 failed","status":null,"requestId":null,"details":[{"message":"The key is active.","path":["mk_1"],"code":"INVALID_REQUEST","exitCode":6,"hint":"An active key must be archived first: add --archive, or run \\"pubctl metadata-keys archive\\"."}],"hint":null,"exitCode":10}}
    exit 10

    $ pubctl metadata-keys delete mk_1
    ! error: pubctl needs an answer to "Delete this metadata key?", and cannot ask here
    !   Pass --yes.
    exit 9

    $ pubctl metadata-keys delete mk_3 --yes
    > DELETE /v1/resources/metadata-keys/mk_3
    ! error: Not yours to delete.
    !   request id: req_1
    !   The key may lack the scope for this; "pubctl whoami" shows its scopes.
    exit 4
  `)
  expect(await answer('pubctl metadata-keys delete mk_2 mk_9', [/\(y\/N\)/, 'n\r'])).toMatchInlineSnapshot(`
    $ pubctl metadata-keys delete mk_2 mk_9
    > GET /v1/resources/metadata-keys
    > GET /v1/resources/metadata-keys
    !   mk_2  imprint
    !   mk_9
    ! ✔ Delete 2 metadata keys? No
    ! error: nothing was deleted
    exit 2
  `)
})
