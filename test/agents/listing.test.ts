import { describe, expect, it } from 'vitest'
import { errorIn, itemsIn, startAgent } from '../support/machine/agent.ts'
import { machine } from '../support/machine/pubctl.ts'

/** A token for four characters. The tokenizers o200k_base and cl100k_base count about a tenth less of this JSON. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

describe('the list of tools', () => {
  it.each([
    [[], 2500],
    [['--allow', 'write,delete'], 5000],
  ])('takes little of what a model reads (%j: at most %i tokens)', async (args, most) => {
    const { client } = await startAgent(args)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(30)
    expect(tokensOf(tools)).toBeLessThanOrEqual(most)
  })

  it('describes each value once, and says no limits, which hold all the same', async () => {
    const { client, call } = await startAgent(['--allow', 'write'])
    const { tools } = await client.listTools()
    const text = JSON.stringify(tools)
    for (const limit of ['maxLength', 'maxItems', 'minimum', 'pattern', 'additionalProperties'])
      expect(text).not.toContain(`"${limit}"`)
    const described = tools.flatMap(({ inputSchema }) =>
      Object.entries(inputSchema.properties as Record<string, { description?: string }>).flatMap(
        ([name, { description }]) => (description === undefined ? [] : [`${name}: ${description}`]),
      ),
    )
    expect(new Set(described).size).toBe(described.length)
    expect(errorIn(await call('publications_list', { search: 'x'.repeat(30_000) }))['code']).toBe(
      'bad_arguments',
    )
  })

  it('leaves out what few need, which can be given all the same', async () => {
    const { client, call } = await startAgent()
    const { tools } = await client.listTools()
    const list = tools.find(({ name }) => name === 'publications_list')
    expect(list?.inputSchema.properties).not.toHaveProperty('next_token')
    expect(list?.inputSchema.properties).toHaveProperty('fields', {
      type: 'string',
      description: expect.stringContaining('title,editions.id'),
    })
    const ids = itemsIn(await call('domains_list', { fields: ['id'] }))
    expect(ids[0]).toEqual({ id: 'dom_library' })
    expect(itemsIn(await call('domains_list', { fields: 'id' }))).toEqual(ids)
    expect(itemsIn(await call('domains_get', { id: 'dom_school', fields: 'id' }))).toEqual([
      { id: 'dom_school' },
    ])
  })

  it('is of the groups that whoever starts the server names, and no other is there', async () => {
    const { client, call } = await startAgent(['--tools', 'domains,metadata_keys', '--allow', 'write'])
    const { tools } = await client.listTools()
    const groups = tools.map(({ name }) => /^(?:domains|metadata_keys|next)/.exec(name)?.[0])
    expect(new Set(groups)).toEqual(new Set(['domains', 'metadata_keys', 'next']))
    expect(groups.filter(group => group === 'domains')).toHaveLength(4)
    expect(itemsIn(await call('domains_list'))).toHaveLength(3)
    await expect(call('publications_list')).rejects.toThrow('there is no tool "publications_list"')
  })

  it('has no group of another name', async () => {
    const { code, err } = await machine().sandbox(['mcp', '--tools', 'publication', '--json'])
    expect({ code, message: JSON.parse(err).error.message }).toEqual({
      code: 2,
      message: '"publication" is no group of tools; did you mean "publications"?',
    })
  })
})
