import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startBin } from '../support/machine/bin.ts'
import { isSlow } from '../support/machine/slow.ts'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { serve } from '../support/servers/server.ts'

it.runIf(isSlow)(
  'api --paginate prints the items of a page before the next page is answered, in little memory',
  async () => {
    const seen: number[] = []
    for (const format of ['json', 'ndjson', 'csv']) {
      const page = JSON.stringify(
        Array.from({ length: 50 }, (_, index) => ({ id: `item_${index}`, text: 'x'.repeat(20_000) })),
      )
      // Kept in memory, sixty pages would be more than there is. Without `npm run check:slow`, one format has that many.
      const most = isSlow || format === 'json' ? 60 : 6
      let pages = 0
      let shown = 0
      const { url } = await serve(async (_, response) => {
        // Each page but the first waits until the one before it has arrived at whoever reads the output.
        for (let tries = 0; shown < pages && tries < 1000; tries++) await setTimeout(10)
        pages++
        seen.push(shown)
        const nextToken = pages < most ? `"${pages}"` : 'null'
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(`{"items":${page},"nextToken":${nextToken},"context":{}}`)
      })
      const args = ['api', 'GET', '/v1/publications', '--paginate', '-o', format, '--fields']
      const child = startBin([...args, format === 'json' ? 'items' : 'id,text'], {
        PUBCTL_API_KEY: 'canary-key-0123456789',
        PUBCTL_BASE_URL: url,
        NODE_OPTIONS: '--max-old-space-size=48',
      })
      child.stdout.on('data', (chunk: Buffer) => {
        if (chunk.includes('item_49')) shown++
      })
      const { exitCode, stderr } = await child
      expect({ format, exitCode, stderr, pages, shown }).toEqual({
        format,
        exitCode: 0,
        stderr: '',
        pages: most,
        shown: most,
      })
      expect(seen.splice(0)).toEqual(Array.from({ length: most }, (_, index) => index))
    }
  },
)

it('api --paginate closes its document where a page fails, and says from where to go on', async () => {
  const { type } = await transcriptOf({
    'GET /v1/publications?nextToken=b': refused(400, 'INVALID_REQUEST', 'The token is spent.'),
    'GET /v1/publications': { items: [{ id: 1 }], nextToken: 'b' },
  })
  expect(
    await type([
      'pubctl api GET /v1/publications --paginate',
      'pubctl api GET /v1/publications --paginate -o ndjson',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl api GET /v1/publications --paginate
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {"context":{"requestId":"req_1"},"items":[{"id":1}],"nextToken":"b"}
    ! error: The token is spent.
    !   request id: req_1
    exit 6

    $ pubctl api GET /v1/publications --paginate -o ndjson
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {"id":1}
    ! {"error":{"code":"INVALID_REQUEST","message":"The token is spent.","status":400,"requestId":"req_1","details":null,"hint":null,"exitCode":6}}
    exit 6
  `)
  expect(await type('pubctl api GET /v1/publications --paginate', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl api GET /v1/publications --paginate
    > GET /v1/publications
    > GET /v1/publications?nextToken=b
    {
      "context": {
        "requestId": "req_1"
      },
      "items": [
        {
          "id": 1
        }
      ],
      "nextToken": "b"
    }
    ! error: The token is spent.
    !   request id: req_1
    exit 6
  `)
})
