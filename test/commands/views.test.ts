import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { contract } from '../../src/service/contract/index.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { withoutColours } from '../support/machine/terminal.ts'
import { json, serve } from '../support/servers/server.ts'
import '../support/machine/plain-snapshots.ts'

const id = 'x'
const lists = [
  'publications list',
  `editions list ${id}`,
  'metadata-keys list',
  'assets list',
  'domains list',
  'reader-instances list',
  'reader-users list',
  'analytics popular',
  'users list',
  'apikeys list',
]
const records = [
  `publications get ${id}`,
  'publications stats',
  `editions get ${id} ${id}`,
  `domains get ${id}`,
  `reader-instances get ${id}`,
  `reader-users get ${id}`,
  `apikeys get ${id}`,
  'analytics scope --no-chart',
  `analytics publication ${id} --no-chart`,
  `analytics activity ${id} --from 2026-03-01 --to 2026-03-31 --no-chart`,
]

/** A value for every field of a schema: texts that are longer than a column, large numbers, and lists of two. */
function filled(schema: z.core.$ZodType, name = ''): unknown {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, inner]) => [key, filled(inner, key)]))
    case 'array':
      return [filled(def.element, name), filled(def.element, name)]
    case 'optional':
    case 'nullable':
      return filled(def.innerType, name)
    case 'number':
      return /completion|rate|progression/i.test(name) ? 0.4567 : 1_234_567
    case 'boolean':
      return true
    case 'union':
      return filled(def.options[0] as z.core.$ZodType, name)
    default:
      if (/Iso$|At$|^created$|^expires$|^revoked$|^lastUsed$/.test(name)) return '2026-03-05T12:34:56.000Z'
      if (/month/i.test(name)) return '2026-03'
      return `the ${name} of this, which is somewhat longer than most`
  }
}

/** What command lines show of a service that answers as `answer` says. */
async function shownAt(columns: number, lines: readonly string[], isEmpty: boolean): Promise<string> {
  const { url } = await serve(({ method, url: path }, response) => {
    const wanted = path.split('?')[0] as string
    const endpoint = Object.values(contract)
      .flatMap(group => Object.values(group))
      .find(
        each => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, id)}$`).test(wanted),
      )
    if (!endpoint) return json(response, 404, { error: 'EMPTY_RESPONSE', message: 'There is none.' })
    const { nextToken: _, ...answer } = filled(endpoint.output) as Record<string, unknown>
    json(response, 200, { ...answer, ...(isEmpty ? { items: [] } : {}) })
  })
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const texts: string[] = []
  for (const line of lines) {
    const { out, err } = await run(line.split(' '), { columns })
    texts.push(`$ pubctl ${line}\n${withoutColours(out + err).replaceAll(url, 'URL')}`)
  }
  return texts.join('\n')
}

it.each([80, 160, 300])('lists of long values at a terminal of %d columns', async columns => {
  await expect(await shownAt(columns, lists, false)).toMatchFileSnapshot(`pages/lists-${columns}.txt`)
})

it('records with a value in each field', async () => {
  await expect(await shownAt(100, records, false)).toMatchFileSnapshot('pages/records.txt')
})

it('lists of nothing', async () => {
  const local = ['uploads list', 'catalogue index']
  expect(await shownAt(80, [...lists, ...local], true)).toMatchInlineSnapshot(`
    $ pubctl publications list
    There are no publications. Upload one: pubctl publications upload book.epub

    $ pubctl editions list x
    There are no editions.

    $ pubctl metadata-keys list
    There are no metadata keys. Create one: pubctl metadata-keys create series

    $ pubctl assets list
    There are no assets. Upload a font: pubctl assets upload font.woff2

    $ pubctl domains list
    No domains are permitted. Permit one: pubctl domains create reader.example.org

    $ pubctl reader-instances list
    There are no reader instances.

    $ pubctl reader-users list
    Nobody has read anything yet.

    $ pubctl analytics popular
    Nothing has been viewed yet.

    $ pubctl users list
    There are no such users.

    $ pubctl apikeys list
    There are no API keys.

    $ pubctl uploads list
    There are no unfinished uploads.

    $ pubctl catalogue index
    Nothing is kept of any service.
  `)
})

it.each([
  ['inspect none.epub', 'titles creators cover navigation problems'],
  ['inspect none.epub --accessibility', 'accessibility'],
  ['commands', 'options exitCodes commands'],
  ['catalogue export', 'metadata'],
  ['analytics report --json', 'titles activity progress unread'],
])('%s takes fields within %s', async (line, names) => {
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: 'http://127.0.0.1:9' })
  for (const name of names.split(' ')) {
    const refused = async (field: string) =>
      (await run([...line.split(' '), '--fields', field], { clock: sleeplessClock() })).err.includes(
        'there is no field',
      )
    expect([name, await refused(`${name}.any`), await refused(`${name}x.any`)]).toEqual([name, false, true])
  }
})
