import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { environment, pathWithPubctl } from '../support/machine/bin.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { leaves, root } from '../support/machine/tree.ts'
import { json, serve } from '../support/servers/server.ts'

/** A shell with `pubctl` on its path, at a service whose lists have these items, three on a page. */
async function shellAt(items: readonly object[]) {
  const { url, received } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (!/s$/.test(pathname)) return json(response, 200, { item: items[0], context: {} })
    const from = Number(searchParams.get('nextToken') ?? 0)
    const size = Number(searchParams.get('limit') ?? items.length)
    const more = from + size < items.length
    json(response, 200, {
      items: items.slice(from, from + size),
      ...(more && { nextToken: `${from + size}` }),
      context: {},
    })
  })
  const env = environment({
    PATH: pathWithPubctl(),
    PUBCTL_API_KEY: 'a-key-of-some-length',
    PUBCTL_BASE_URL: url,
  })
  const sh = async (line: string) =>
    JSON.parse((await execa('/bin/sh', ['-c', line], { env, extendEnv: false })).stdout)
  return { sh, asked: () => received.map(each => each.url) }
}

describe('--envelope', () => {
  it.skipIf(process.platform === 'win32')(
    'leads through a listing that is cut, command by command, to its end',
    async () => {
      const { sh } = await shellAt(
        Array.from({ length: 7 }, (_, index) => ({ publicationId: `pub_${index}` })),
      )
      const seen: string[] = []
      let line: string | undefined =
        'pubctl publications list --limit 3 --json --envelope --quiet --search "it\'s"'
      for (let pages = 0; line !== undefined && pages < 9; pages++) {
        const { items, next } = await sh(line)
        seen.push(...items.map((each: { publicationId: string }) => each.publicationId))
        line = next.find((each: string) => each.includes('--next-token'))
      }
      expect(seen).toEqual(['pub_0', 'pub_1', 'pub_2', 'pub_3', 'pub_4', 'pub_5', 'pub_6'])
    },
  )

  it.runIf(isSlow && process.platform !== 'win32')(
    'names all items of a list that the service does not page, once',
    async () => {
      const { sh } = await shellAt([{ id: 'dom_1' }, { id: 'dom_2' }])
      const { items, next } = await sh('pubctl domains list --limit 1 --json --envelope --quiet')
      expect({ items, next }).toEqual({
        items: [{ id: 'dom_1' }],
        next: ['pubctl domains list --json --envelope --quiet --all', 'pubctl domains get --json dom_1'],
      })
      expect((await sh(next[0])).items).toHaveLength(2)
    },
  )

  it.skipIf(process.platform === 'win32').each(share(["pub_'; touch x; '", '-rf', '$(id)', '`id`', 'ä'], 3))(
    'gives an id to the shell as one word: %s',
    async id => {
      const { sh, asked } = await shellAt([{ id }])
      const { next } = await sh('pubctl domains list --json --envelope')
      // Nobody has an id with a space in it, so it is not offered.
      if (/\s/.test(id)) return expect(next).toEqual([])
      await sh(next[0])
      expect(asked().at(-1)).toBe(`/v1/domains/${encodeURIComponent(id)}`)
    },
  )

  it('gives the command that carries out what was only planned', async () => {
    const { run } = machine()
    const { out } = await run([
      '--profile',
      'sandbox',
      'domains',
      'create',
      'a.example',
      '--dry-run',
      '--json',
      '--envelope',
    ])
    expect(JSON.parse(out).next).toEqual([
      'pubctl --profile sandbox domains create a.example --json --envelope',
    ])
  })

  it('has items and next with every list, be it empty or queried, and goes with JSON alone', async () => {
    const { run } = machine()
    const lists = leaves(root).filter(
      ({ path, arguments: taken }) => / list$/.test(path) && taken.length === 0,
    )
    expect(lists.length).toBeGreaterThan(8)
    for (const { path } of lists) {
      const { out } = await run(['--profile', 'sandbox', ...path.split(' '), '--json', '--envelope'])
      expect(JSON.parse(out), path).toEqual({ items: expect.any(Array), next: expect.any(Array) })
    }
    const queried = await run([
      '--profile',
      'sandbox',
      'domains',
      'list',
      '--json',
      '--envelope',
      '--query',
      '[].id',
    ])
    expect(JSON.parse(queried.out).items).toContain('dom_library')
    const { code, err } = await run(['--profile', 'sandbox', 'domains', 'list', '--envelope'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('--envelope belongs to JSON') })
  })
})
