import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'

const service = () =>
  transcriptOf({
    'GET /v1/publications': ({ url }) =>
      url.includes('nextToken=b')
        ? { items: [{ id: 2 }], nextToken: null, context: {} }
        : { items: [{ id: 1 }], nextToken: 'b', stats: { a: 1 }, context: {} },
    'GET /v1/same': { items: [], nextToken: 'b', context: {} },
    'GET /v1/one': { item: { id: 1 }, context: {} },
    'GET /v1/last': { items: [{ id: 3 }], nextToken: '', context: {} },
    'POST /v1/domains': ({ body }) => ({ item: JSON.parse(String(body) || '{}'), context: {} }),
    'PATCH /v1/domains/1': ({ body }) => ({ item: JSON.parse(String(body)), context: {} }),
    'DELETE /v1/domains/1': refused(400, 'INVALID_REQUEST', 'It is in use.'),
    'HEAD /v1/one': {},
    'OPTIONS /v1/one': { item: 1 },
  })

it('api GET', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl api GET /v1/publications --param limit=5 --param a=1 --param a=2',
      'pubctl api get "/v1/publications?limit=2" --paginate --query items[].id',
      'pubctl api GET /v1/publications --paginate --json',
      'pubctl api GET /v1/publications --paginate -o ndjson',
      'pubctl api GET /v1/publications --paginate -o ndjson --query id',
      'pubctl api GET /v1/publications --paginate -o csv --fields id',
      'pubctl api GET /v1/publications --paginate --fields items.id',
      'pubctl api GET /v1/publications --paginate --fields stats',
      'pubctl api GET /v1/publications --paginate --json --query items[].id',
      'pubctl api GET /v1/nothing --paginate',
      'pubctl api GET /v1/one --paginate',
      'pubctl api GET /v1/same --paginate',
      'pubctl api GET /v1/last --paginate --query items[].id',
      'pubctl api GET /v1x/one',
      'pubctl api GET //elsewhere.example/v1/one',
      'pubctl api GET http://elsewhere.example/v1/one',
      'pubctl api GET /v1/../v2/one',
      'pubctl api GET /v1/one --fields item --dry-run',
      'pubctl api HEAD /v1/one',
      'pubctl api OPTIONS /v1/one --fields item',
      'pubctl api GET /v1/nothing',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl api GET /v1/publications --param limit=5 --param a=1 --param a=2
    > GET /v1/publications?limit=5&a=1&a=2
    {"context":{},"items":[{"id":1}],"nextToken":"b","stats":{"a":1}}

    $ pubctl api get "/v1/publications?limit=2" --paginate --query items[].id
    > GET /v1/publications?limit=2
    > GET /v1/publications?limit=2&nextToken=b
    1
    2

    $ pubctl api GET /v1/publications --paginate --json
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {"context":{},"stats":{"a":1},"items":[{"id":1},{"id":2}],"nextToken":null}

    $ pubctl api GET /v1/publications --paginate -o ndjson
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {"id":1}
    {"id":2}

    $ pubctl api GET /v1/publications --paginate -o ndjson --query id
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    1
    2

    $ pubctl api GET /v1/publications --paginate -o csv --fields id
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    id
    1
    2

    $ pubctl api GET /v1/publications --paginate --fields items.id
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {"items":[{"id":1},{"id":2}]}

    $ pubctl api GET /v1/publications --paginate --fields stats
    > GET /v1/publications
    {"stats":{"a":1}}

    $ pubctl api GET /v1/publications --paginate --json --query items[].id
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    [1,2]

    $ pubctl api GET /v1/nothing --paginate
    > GET /v1/nothing
    ! error: There is none.
    !   request id: req_1
    !   Check the path and the ids in it; "pubctl sandbox openapi" has every path there is.
    exit 5

    $ pubctl api GET /v1/one --paginate
    > GET /v1/one
    {"context":{},"item":{"id":1}}

    $ pubctl api GET /v1/same --paginate
    > GET /v1/same
    > GET /v1/same?nextToken=b
    {"context":{},"items":[],"nextToken":"b"}
    ! error: the service gave the same continuation token twice, so the listing would never end
    !   Report it to the service.
    exit 8

    $ pubctl api GET /v1/last --paginate --query items[].id
    > GET /v1/last
    3

    $ pubctl api GET /v1x/one
    ! error: "/v1x/one" is not below /v1
    !   Write it like /v1/publications.
    exit 2

    $ pubctl api GET //elsewhere.example/v1/one
    ! error: "//elsewhere.example/v1/one" is not a path of the service
    !   Write it like /v1/publications; the address is the one of the profile.
    exit 2

    $ pubctl api GET http://elsewhere.example/v1/one
    ! error: "http://elsewhere.example/v1/one" is not a path of the service
    !   Write it like /v1/publications; the address is the one of the profile.
    exit 2

    $ pubctl api GET /v1/../v2/one
    ! error: "/v1/../v2/one" is not below /v1
    !   Write it like /v1/publications.
    exit 2

    $ pubctl api GET /v1/one --fields item --dry-run
    > GET /v1/one
    {"item":{"id":1}}

    $ pubctl api HEAD /v1/one
    > HEAD /v1/one

    $ pubctl api OPTIONS /v1/one --fields item
    > OPTIONS /v1/one
    {"item":1}

    $ pubctl api GET /v1/nothing
    > GET /v1/nothing
    ! error: There is none.
    !   request id: req_1
    !   Check the path and the ids in it; "pubctl sandbox openapi" has every path there is.
    exit 5
  `)
})

it('api changes something', async () => {
  const { type, home } = await service()
  writeFileSync(join(home, 'body.json'), '{"domain":"c.example.org","n":1.5}')
  expect(
    await type([
      'pubctl api POST /v1/domains --field domain=a.example.org --field n:=5 --query item',
      'pubctl api PATCH /v1/domains/1 --input ~/body.json --query item',
      'pubctl api POST /v1/domains --field domain=a.example.org --dry-run',
      'pubctl api DELETE /v1/domains/1 --dry-run --json',
      'pubctl api DELETE /v1/domains/1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl api POST /v1/domains --field domain=a.example.org --field n:=5 --query item
    > POST /v1/domains {"domain":"a.example.org","n":5}
    {"domain":"a.example.org","n":5}

    $ pubctl api PATCH /v1/domains/1 --input ~/body.json --query item
    > PATCH /v1/domains/1 {"domain":"c.example.org","n":1.5}
    {"domain":"c.example.org","n":1.5}

    $ pubctl api POST /v1/domains --field domain=a.example.org --dry-run
    POST⇥http://service/v1/domains⇥{"domain":"a.example.org"}

    $ pubctl api DELETE /v1/domains/1 --dry-run --json
    [
    {"method":"DELETE","url":"http://service/v1/domains/1"}
    ]

    $ pubctl api DELETE /v1/domains/1
    > DELETE /v1/domains/1
    ! error: It is in use.
    !   request id: req_1
    exit 6
  `)
  expect(
    await type('pubctl api POST /v1/domains --input - --query item', { stdin: '{"domain":"b.example.org"}' }),
  ).toMatchInlineSnapshot(`
    $ pubctl api POST /v1/domains --input - --query item
    > POST /v1/domains {"domain":"b.example.org"}
    {"domain":"b.example.org"}
  `)
})

it('api refuses what does not fit before it asks', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl api FETCH /v1/one',
      'pubctl api POST /v1/domains --paginate',
      'pubctl api GET v1/one',
      'pubctl api GET //elsewhere.example/v1/one',
      'pubctl api GET /v2/one',
      'pubctl api GET /v1/one --param limit',
      'pubctl api GET /v1/one --field a=1',
      'pubctl api POST /v1/domains --field a=1 --input -',
      'pubctl api POST /v1/domains --input ~/none.json --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl api FETCH /v1/one
    ! error: "FETCH" is not a method
    !   Use GET, POST, PATCH, PUT, DELETE.
    exit 2

    $ pubctl api POST /v1/domains --paginate
    ! error: --paginate works with GET only
    exit 2

    $ pubctl api GET v1/one
    ! error: "v1/one" is not a path of the service
    !   Write it like /v1/publications; the address is the one of the profile.
    exit 2

    $ pubctl api GET //elsewhere.example/v1/one
    ! error: "//elsewhere.example/v1/one" is not a path of the service
    !   Write it like /v1/publications; the address is the one of the profile.
    exit 2

    $ pubctl api GET /v2/one
    ! error: "/v2/one" is not below /v1
    !   Write it like /v1/publications.
    exit 2

    $ pubctl api GET /v1/one --param limit
    ! error: --param: "limit" is not of the form key=value
    !   Write it like limit=5.
    exit 2

    $ pubctl api GET /v1/one --field a=1
    ! error: a GET has no body
    !   Use --param for query parameters.
    exit 2

    $ pubctl api POST /v1/domains --field a=1 --input -
    ! error: --field and --input both give the body; use one
    exit 2

    $ pubctl api POST /v1/domains --input ~/none.json --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/none.json: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
  expect(await type('pubctl api POST /v1/domains --input -', { stdin: 'no' })).toMatchInlineSnapshot(`
    $ pubctl api POST /v1/domains --input -
    ! error: --input is not JSON: Unexpected token 'o', "no" is not valid JSON
    exit 2
  `)
})

it('api --include prints the status and the headers first', async () => {
  const { type } = await service()
  const text = await type('pubctl api GET /v1/one --include --query item.id')
  expect(
    text.replace(/^! (date|keep-alive|connection|content-length|transfer-encoding):.*\n/gim, ''),
  ).toMatchInlineSnapshot(`
    $ pubctl api GET /v1/one --include --query item.id
    > GET /v1/one
    1
    ! HTTP 200
    ! content-type: application/json
    !
  `)
})

it('api sends integers of any size as they are', async () => {
  const { type } = await service()
  const stdin = '{"n":9007199254740993,"list":[123456789012345678901234567890]}'
  expect(await type('pubctl api POST /v1/domains --input - --dry-run', { stdin })).toMatchInlineSnapshot(`
    $ pubctl api POST /v1/domains --input - --dry-run
    POST⇥http://service/v1/domains⇥{"n":9007199254740993,"list":[123456789012345678901234567890]}
  `)
  expect(await type('pubctl api POST /v1/domains --input - --query item', { stdin })).toMatchInlineSnapshot(`
    $ pubctl api POST /v1/domains --input - --query item
    > POST /v1/domains {"n":9007199254740993,"list":[123456789012345678901234567890]}
    {"n":9007199254740992,"list":[1.2345678901234568e+29]}
  `)
})
