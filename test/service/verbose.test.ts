import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

/** The lines of --verbose for one request, which is answered like this; of no milliseconds. */
async function linesFor(
  answer: Parameters<typeof serve>[0],
  args: readonly string[] = ['api', 'GET', '/v1/domains'],
) {
  const { url } = await serve(answer)
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  // Each exchange takes no time by this clock, which began long ago.
  const { err } = await run([...args, '--verbose'], { clock: { ...systemClock, monotonic: () => 7000 } })
  return err
    .split('\n')
    .filter(line => line.includes('→'))
    .map(line => line.replaceAll(url, '').replace('(0 ms', '(N ms'))
}

const filler = 'x'.repeat(100_000)

describe('--verbose names the id of a request', () => {
  it.each<[string, object | string, Record<string, string>, string]>([
    ['of the answer', { context: { requestId: 'body-1' } }, {}, ', request body-1'],
    [
      'of the answer before that of a header',
      { context: { requestId: 'b' } },
      { 'x-request-id': 'h' },
      ', request b',
    ],
    ['of a header', { items: [] }, { 'x-request-id': 'header-1' }, ', request header-1'],
    ['of a header of the store', { items: [] }, { 'x-amz-request-id': 'amz-1' }, ', request amz-1'],
    [
      "of the service's header first",
      {},
      { 'x-amz-request-id': 'amz-1', 'x-request-id': 'own' },
      ', request own',
    ],
    [
      'of a header where the answer has one of another type',
      { context: { requestId: 7 } },
      { 'x-request-id': 'h' },
      ', request h',
    ],
    [
      'of a header where the answer is no JSON',
      '{"context":{"requestId":"cut',
      { 'x-request-id': 'h' },
      ', request h',
    ],
    ['at the end of a long answer', { filler, context: { requestId: 'long-1' } }, {}, ', request long-1'],
    [
      'of a header where a long answer has it elsewhere',
      { context: { requestId: 'far' }, filler },
      { 'x-request-id': 'h' },
      ', request h',
    ],
    ['of nothing', { items: [] }, {}, ''],
  ])('%s', async (_, body, headers, told) => {
    const lines = await linesFor((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body)),
    )
    expect(lines.at(-1)).toBe(`GET /v1/domains → 200 (N ms${told})`)
  })
})

describe('--verbose', () => {
  it('has a line for each attempt, with the status or what went wrong', async () => {
    let calls = 0
    const lines = await linesFor((_, response) => {
      if (++calls === 1) return void response.destroy()
      if (calls === 2) return json(response, 503, {}, { 'retry-after': '0' })
      json(response, 200, { items: [], context: {} })
    })
    expect(lines).toEqual([
      expect.stringMatching(/^GET \/v1\/domains → (?!\d).+ \(N ms\)$/),
      'GET /v1/domains → 503 (N ms)',
      'GET /v1/domains → 200 (N ms)',
    ])
  })

  it('shows the path and the query of a request, and of a presigned address the path alone', async () => {
    const listed = await linesFor(
      (_, response) => json(response, 200, { items: [], context: {} }),
      ['publications', 'list', '--search', 'a b'],
    )
    expect(listed).toEqual(['GET /v1/publications?limit=50&search=a+b → 200 (N ms)'])

    const { url, received } = await serve((_, response) => response.writeHead(200).end())
    const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
    const put = async (uploadUrl: string) =>
      (
        await run(['uploads', 'put', import.meta.filename, '--session', '-', '--verbose'], {
          stdin: JSON.stringify({ uploadUrl, requiredHeaders: {} }),
        })
      ).err.replace(/\(\d+ ms/, '(N ms')
    expect(await put(`${url}/put?X-Amz-Signature=5ec4e7`)).toContain(
      `PUT ${url}/put?[redacted] → 200 (N ms)\n`,
    )
    expect(await put(`${url}/plain`)).toContain(`PUT ${url}/plain → 200 (N ms)\n`)
    expect(received.map(each => each.url)).toEqual(['/put?X-Amz-Signature=5ec4e7', '/plain'])
  })
})
