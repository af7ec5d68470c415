import { expect, it } from 'vitest'
import { machine } from '../support/pubctl.ts'
import { json, serve } from '../support/server.ts'

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
    err: expect.stringMatching(/'--asc' cannot be used with option '--desc'/),
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
