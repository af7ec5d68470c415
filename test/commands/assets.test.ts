import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

const context = {}

/** A machine with fonts, at a service whose store refuses the files of the names in `refused`. */
async function withFonts({ refused = [] as string[], describe = (all: object[]) => all } = {}) {
  let origin = ''
  const { url, received } = await serve((request, response) => {
    if (request.method === 'PUT') {
      const isRefused = refused.some(name => request.url.includes(name))
      return void response.writeHead(isRefused ? 403 : 200).end()
    }
    const wanted: { type: string; filename: string }[] = JSON.parse(String(request.body)).assets
    const result = wanted.map(({ type, filename }, index) => ({
      id: `as_${index}`,
      uploadMode: 'single',
      type,
      filename,
      key: `assets/${filename}`,
      uploadUrl: `${origin}/put/${index}-${filename}?X-Amz-Signature=5ec4e7`,
      expiresIn: 900,
      requiredHeaders: { 'Content-Type': 'font/woff2' },
    }))
    json(response, 201, { result: describe(result), context })
  })
  origin = url
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const fonts = ['a', 'b', 'c'].map(name => {
    const path = join(own.home, `${name}.woff2`)
    writeFileSync(path, `wOF2${name}`)
    return path
  })
  const asked = () =>
    received.map(({ method, url, body }) => `${method} ${url.split('?')[0]} ${String(body)}`)
  return { ...own, fonts, asked }
}

const creation = `POST /v1/resources/assets ${JSON.stringify({
  assets: ['a', 'b', 'c'].map(name => ({ type: 'font', filename: `${name}.woff2` })),
})}`

it('several files are created with one request, and each is sent to its own place', async () => {
  const { run, fonts, asked } = await withFonts({ describe: all => all.toReversed() })
  const { code, out, err } = await run(['assets', 'upload', ...fonts, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual(
    fonts.map((file, index) => ({
      ...{ file, type: 'font', bytes: 5, id: `as_${index}`, outcome: 'uploaded', error: null },
    })),
  )
  expect(asked()).toEqual([
    creation,
    'PUT /put/0-a.woff2 wOF2a',
    'PUT /put/1-b.woff2 wOF2b',
    'PUT /put/2-c.woff2 wOF2c',
  ])
})

it('one that fails does not lose the others', async () => {
  const { run, fonts, asked } = await withFonts({ refused: ['b.woff2'] })
  const { code, out, err } = await run(['assets', 'upload', ...fonts, '--json'])
  const results = JSON.parse(out)
  expect(results.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome])).toEqual([
    ['as_0', 'uploaded'],
    ['as_1', 'failed'],
    ['as_2', 'uploaded'],
  ])
  expect(results[1].error).toMatchObject({
    code: 'http_403',
    message: expect.stringContaining(`the asset as_1 was created, and ${fonts[1]} was not sent`),
    hint: expect.stringContaining('pubctl uploads put'),
  })
  const { error } = JSON.parse(err)
  expect({ code, error }).toMatchObject({
    code: 10,
    error: { code: 'part_failed', details: [{ path: [fonts[1]], code: 'http_403' }] },
  })
  expect(asked().filter(line => line.startsWith('POST'))).toEqual([creation])
})

it('a file that the service gives no place for fails, and none goes to the place of another', async () => {
  const { run, fonts, asked } = await withFonts({ describe: all => all.slice(1) })
  const { code, out } = await run(['assets', 'upload', ...fonts, '--json'])
  expect(code).toBe(10)
  const [first, ...others] = JSON.parse(out)
  expect(first).toMatchObject({ id: null, outcome: 'failed', error: { code: 'bad_session' } })
  expect(others.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['uploaded', 'uploaded'])
  expect(asked().slice(1)).toEqual(['PUT /put/1-b.woff2 wOF2b', 'PUT /put/2-c.woff2 wOF2c'])
})

it('a place that is none leaves the others their own', async () => {
  const { run, fonts, asked } = await withFonts({
    describe: ([, second, third]) => [null as never, { ...second, filename: undefined }, third as object],
  })
  const { out } = await run(['assets', 'upload', ...fonts, '--json'])
  expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual([null, 'as_1', 'as_2'])
  expect(asked().slice(1)).toEqual(['PUT /put/1-b.woff2 wOF2b', 'PUT /put/2-c.woff2 wOF2c'])
})

it('any type is passed on, and one file is a single item', async () => {
  const { run, fonts, asked } = await withFonts()
  const [font = ''] = fonts
  const { out } = await run(['assets', 'upload', font, '--type', 'stylesheet', '--json'])
  expect(JSON.parse(out)).toMatchObject({ id: 'as_0', type: 'stylesheet', outcome: 'uploaded' })
  expect(asked()[0]).toBe(
    `POST /v1/resources/assets {"assets":[{"type":"stylesheet","filename":"${basename(font)}"}]}`,
  )
})

it('a file that cannot be read stops all before anything is asked for', async () => {
  const { run, fonts, asked } = await withFonts()
  const { code } = await run(['assets', 'upload', ...fonts, 'missing.woff2'])
  expect({ code, asked: asked() }).toEqual({ code: 2, asked: [] })
})

it('--dry-run shows the one request and what would be sent', async () => {
  const { run, fonts, asked } = await withFonts()
  const { out } = await run(['assets', 'upload', ...fonts, '--dry-run', '--json'])
  const planned = JSON.parse(out)
  expect(planned.map(({ method }: { method: string }) => method)).toEqual(['POST', 'PUT', 'PUT', 'PUT'])
  expect(planned[0].body.assets).toHaveLength(3)
  expect(asked()).toEqual([])
})

const font = {
  id: 'as_1',
  type: 'font',
  filename: 'Lora.woff2',
  filetype: 'font/woff2',
  filesize: 12_345,
  status: 'available',
  usedByReaderInstances: [{ id: 'ri_1', name: 'Shop reader' }],
  createdAtIso: '2026-01-02T03:04:05.000Z',
}
const unused = { ...font, id: 'as_2', filename: 'Old.woff2', usedByReaderInstances: [] }

const withAssets = () =>
  transcriptOf({
    'GET /v1/resources/assets': { items: [font, unused] },
    'PATCH /v1/resources/assets/as_1': ({ body }) => ({ item: { ...font, ...JSON.parse(String(body)) } }),
    'DELETE /v1/resources/assets/as_1': refused(409, 'CONFLICT', 'The asset is in use.'),
    'DELETE /v1/resources/assets/as_2': { item: unused },
  })

it('assets list', async () => {
  const { type } = await withAssets()
  expect(
    await type(['pubctl assets list', 'pubctl assets list --limit 1 --json --fields id,filesize']),
  ).toMatchInlineSnapshot(`
    $ pubctl assets list
    > GET /v1/resources/assets
    as_1⇥Lora.woff2⇥font⇥12345⇥available⇥Shop reader⇥2026-01-02T03:04:05.000Z
    as_2⇥Old.woff2⇥font⇥12345⇥available⇥⇥2026-01-02T03:04:05.000Z

    $ pubctl assets list --limit 1 --json --fields id,filesize
    > GET /v1/resources/assets
    [
    {"id":"as_1","filesize":12345}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
  `)
  expect(await type('pubctl assets list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl assets list
    > GET /v1/resources/assets
    ID    FILENAME    TYPE  FILESIZE  STATUS     USED BY      CREATED
    as_1  Lora.woff2  font  12.3 kB   available  Shop reader  2026-01-02 03:04
    as_2  Old.woff2   font  12.3 kB   available               2026-01-02 03:04
  `)
  expect(await type('pubctl assets list', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl assets list
    > GET /v1/resources/assets
    ID    FILENAME    TYPE  FILESIZE  STATUS     USED BY      CREATED
    as_1  Lora.woff2  font  12.3 kB   available  Shop reader  2026-01-02 03:04
    as_2  Old.woff2   font  12.3 kB   available               2026-01-02 03:04
  `)
})

it('assets rename', async () => {
  const { type } = await withAssets()
  expect(
    await type([
      'pubctl assets rename as_1 Lora-Italic.woff2',
      'pubctl assets rename as_1 Lora-Italic.woff2 --dry-run --json',
      'pubctl assets rename as_9 Lora-Italic.woff2',
      'pubctl assets rename as_1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl assets rename as_1 Lora-Italic.woff2
    > PATCH /v1/resources/assets/as_1 {"filename":"Lora-Italic.woff2"}
    as_1⇥Lora-Italic.woff2⇥font⇥12345⇥available⇥Shop reader⇥2026-01-02T03:04:05.000Z

    $ pubctl assets rename as_1 Lora-Italic.woff2 --dry-run --json
    [
    {"method":"PATCH","url":"http://service/v1/resources/assets/as_1","body":{"filename":"Lora-Italic.woff2"}}
    ]

    $ pubctl assets rename as_9 Lora-Italic.woff2
    > PATCH /v1/resources/assets/as_9 {"filename":"Lora-Italic.woff2"}
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5

    $ pubctl assets rename as_1
    ! error: missing required argument "filename"
    !   Add --help to see what fits.
    exit 2
  `)
  expect(await type('pubctl assets rename as_1 Lora-Italic.woff2', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl assets rename as_1 Lora-Italic.woff2
    > PATCH /v1/resources/assets/as_1 {"filename":"Lora-Italic.woff2"}
    id        as_1
    filename  Lora-Italic.woff2
    type      font
    filetype  font/woff2
    filesize  12.3 kB
    status    available
    used by   Shop reader
    created   2026-01-02 03:04
  `)
})

it('assets delete', async () => {
  const { type, answer } = await withAssets()
  expect(
    await type([
      'pubctl assets delete as_2 --yes',
      'pubctl assets delete as_1 as_2 --yes',
      'pubctl assets delete as_1 --yes',
      'pubctl assets delete as_1 --dry-run',
      'pubctl assets delete as_1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl assets delete as_2 --yes
    > DELETE /v1/resources/assets/as_2
    as_2⇥Old.woff2⇥font⇥12345⇥available⇥⇥2026-01-02T03:04:05.000Z

    $ pubctl assets delete as_1 as_2 --yes
    > DELETE /v1/resources/assets/as_1
    > DELETE /v1/resources/assets/as_2
    as_2⇥Old.woff2⇥font⇥12345⇥available⇥⇥2026-01-02T03:04:05.000Z
    ! error: 1 of 2 failed
    !   as_1: The asset is in use.
    exit 10

    $ pubctl assets delete as_1 --yes
    > DELETE /v1/resources/assets/as_1
    ! error: The asset is in use.
    !   request id: req_1
    exit 6

    $ pubctl assets delete as_1 --dry-run
    DELETE⇥http://service/v1/resources/assets/as_1⇥

    $ pubctl assets delete as_1
    ! error: pubctl needs an answer to "Delete this asset?", and cannot ask here
    !   Pass --yes.
    exit 9
  `)
  expect(await answer('pubctl assets delete as_2', [/\(y\/N\)/, 'n\r'])).toMatchInlineSnapshot(`
    $ pubctl assets delete as_2
    > GET /v1/resources/assets
    !   as_2  Old.woff2
    ! ✔ Delete this asset? No
    ! error: nothing was deleted
    exit 2
  `)
})

it('assets upload', async () => {
  const target = { uploadMode: 'single', type: 'font', expiresIn: 900, requiredHeaders: {} }
  let own = ''
  const { type, home, url } = await transcriptOf({
    'POST /v1/resources/assets': ({ body }) => ({
      result: JSON.parse(String(body)).assets.map(({ filename }: { filename: string }) => ({
        ...{ ...target, id: `as_${filename}`, filename, uploadUrl: `${own}/put/${filename}` },
      })),
    }),
    'PUT /put/a.woff2': {},
    'PUT /put/b.woff2': refused(403, 'x', 'x'),
  })
  own = url
  for (const name of ['a', 'b']) writeFileSync(join(home, `${name}.woff2`), 'wOF2')
  expect(
    await type([
      'pubctl assets upload ~/a.woff2',
      'pubctl assets upload ~/a.woff2 ~/a.woff2 --type stylesheet --json',
      'pubctl assets upload ~/a.woff2 ~/b.woff2 --dry-run',
      'pubctl assets upload ~/c.woff2 --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl assets upload ~/a.woff2
    > POST /v1/resources/assets {"assets":[{"type":"font","filename":"a.woff2"}]}
    > PUT /put/a.woff2 (4 bytes)
    ~/a.woff2⇥font⇥4⇥as_a.woff2⇥uploaded⇥
    ! a.woff2: sending 4 B

    $ pubctl assets upload ~/a.woff2 ~/a.woff2 --type stylesheet --json
    > POST /v1/resources/assets {"assets":[{"type":"stylesheet","filename":"a.woff2"}]}
    > PUT /put/a.woff2 (4 bytes)
    {"file":"~/a.woff2","type":"stylesheet","bytes":4,"id":"as_a.woff2","outcome":"uploaded","error":null}

    $ pubctl assets upload ~/a.woff2 ~/b.woff2 --dry-run
    POST⇥http://service/v1/resources/assets⇥{"assets":[{"type":"font","filename":"a.woff2"},{"type":"font","filename":"b.woff2"}]}
    PUT⇥(the upload URL in the answer)⇥{"file":"~/a.woff2","bytes":4}
    PUT⇥(the upload URL in the answer)⇥{"file":"~/b.woff2","bytes":4}

    $ pubctl assets upload ~/c.woff2 --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/c.woff2: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
  expect(await type('pubctl assets upload ~/a.woff2 ~/b.woff2')).toMatchInlineSnapshot(`
    $ pubctl assets upload ~/a.woff2 ~/b.woff2
    > POST /v1/resources/assets {"assets":[{"type":"font","filename":"a.woff2"},{"type":"font","filename":"b.woff2"}]}
    > PUT /put/a.woff2 (4 bytes)
    > PUT /put/b.woff2 (4 bytes)
    ~/a.woff2⇥font⇥4⇥as_a.woff2⇥uploaded⇥
    ~/b.woff2⇥font⇥4⇥as_b.woff2⇥failed⇥the asset as_b.woff2 was created, and ~/b.woff2 was not sent: the upload store at http://service refused the file: status 403
    ! a.woff2: sending 4 B
    ! b.woff2: sending 4 B
    ! error: 1 of 2 failed
    !   the asset as_b.woff2 was created, and ~/b.woff2 was not sent: the upload store at http://service refused the file: status 403. Run the upload again; it asks for a new upload session. To send it, within the life of its session: pubctl uploads put ~/b.woff2 --session ~/.local/share/pubctl/unsent-assets/(id 1).json
    exit 10
  `)
  expect(
    await type('pubctl assets upload ~/a.woff2 --fields type,bytes,id,outcome', { columns: 80 }),
  ).toMatchInlineSnapshot(`
    $ pubctl assets upload ~/a.woff2 --fields type,bytes,id,outcome
    > POST /v1/resources/assets {"assets":[{"type":"font","filename":"a.woff2"}]}
    > PUT /put/a.woff2 (4 bytes)
    type     font
    bytes    4 B
    id       as_a.woff2
    outcome  uploaded
  `)
})
