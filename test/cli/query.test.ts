import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { json, serve } from '../support/servers/server.ts'

const fields = 'domain, isInUse, note'
const told = (name: string, meant = '') =>
  `warning: --query names the field "${name}", which is nowhere in the result${meant}\n  The fields are ${fields}.\n`

/** What `domains list` prints with a query, at a service that sends `items`. */
async function queried(query: string, args: readonly string[] = [], items: readonly object[] = twoDomains) {
  const { url } = await serve((_, response) => json(response, 200, { items, context: {} }))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  return await run(['domains', 'list', '--query', query, ...args])
}

const twoDomains = [
  { domain: 'a.example', isInUse: true },
  { domain: 'b.example', isInUse: false, note: { by: 'Ada' } },
].map(({ note = null, ...rest }) => ({ ...rest, note }))

describe('a field that --query names and no item has', () => {
  it.each([
    ['[].domian', [], '', told('domian', '; did you mean "domain"?')],
    [
      '[].{a:domain,b:owner}',
      ['--json'],
      '[{"a":"a.example","b":null},{"a":"b.example","b":null}]\n',
      'owner',
    ],
    ['isUsed', ['-o', 'ndjson'], 'null\nnull\n', 'isUsed'],
    ['items[].domain', [], '', told('items')],
    ['[].isInUse', ['--json', '--fields', 'domain'], '[]\n', 'isInUse'],
  ])('is said for %s %j, and changes nothing else', async (query, args, out, said) => {
    const result = await queried(query, args)
    expect({ code: result.code, out: result.out }).toEqual({ code: 0, out })
    if (said.startsWith('warning')) expect(result.err).toBe(said)
    else expect(result.err).toContain(said)
    if (args.some(arg => arg.includes('json')))
      expect(JSON.parse(result.err).warning.code).toBe('query_field')
  })

  it.each([
    ['is in one item alone', '[].note.by', ['Ada']],
    ['is declared and not sent', '[].description', []],
    ['is made by the expression', '[].{site:domain} | [].site', ['a.example', 'b.example']],
    ['is made of a value', 'group_by(@,&domain)."a.example"[].domain', ['a.example']],
    ['is in a literal', '`{"x":[{"y":1}]}`.x[0].y', ['1']],
  ])('is not meant where it %s', async (_, query, lines) => {
    const { out, err } = await queried(query)
    expect({ lines: out.split('\n').slice(0, -1), err }).toEqual({ lines, err: '' })
  })

  it('is not said of an empty list, nor with --quiet', async () => {
    expect((await queried('[].owner', [], [])).err).toBe('')
    expect((await queried('[].owner', ['--quiet'])).err).toBe('')
  })
})

describe('--exit-status', () => {
  it.each([
    ['[].domain', [], 0],
    ['[].domain', ['--json'], 0],
    ['length(@)', [], 0],
    ['[0].note', [], 15],
    ['[0].note', ['--json'], 15],
    ["[?domain=='c.example']", ['--json'], 15],
    ['[1].isInUse', [], 15],
    ['note.by', ['-o', 'ndjson'], 0],
    ['note.to', ['-o', 'ndjson', '--quiet'], 15],
  ])('of %s %j is as that of jq', async (query, args, code) => {
    const plain = await queried(query, args)
    const asked = await queried(query, [...args, '--exit-status'])
    expect({ plain: plain.code, asked: asked.code, out: asked.out }).toEqual({
      plain: 0,
      asked: code,
      out: plain.out,
    })
    expect(asked.err.includes('--query selects nothing')).toBe(code === 15)
  })

  it('belongs to --query, and hides no other failure', async () => {
    const { run } = machine({
      PUBCTL_API_KEY: 'canary-key-0123456789',
      PUBCTL_BASE_URL: 'http://127.0.0.1:9',
    })
    const alone = await run(['domains', 'list', '--exit-status'])
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--exit-status needs --query') })
    const down = ['domains', 'list', '--query', '[]', '--exit-status', '--timeout', '1s']
    expect((await run(down)).code).toBe(8)
  })
})
