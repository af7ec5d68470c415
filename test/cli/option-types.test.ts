import { describe, expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { leaves, root } from '../support/machine/tree.ts'

/** A value that each type of option refuses. */
const unfit: Readonly<Record<string, string>> = {
  integer: '0x',
  duration: 'soon',
  month: '2026-13',
  day: '2026-02-30',
  uuid: 'not-a-uuid',
  list: 'a,,b',
  pair: 'novalue',
  shard: '8/7',
}

const cases = [
  ...root.options.map(option => ({ path: 'publications list', option })),
  ...leaves(root).flatMap(({ path, options }) => options.map(option => ({ path, option }))),
].flatMap(({ path, option }) => {
  const value = option.choices
    ? 'nothing-of-it'
    : (unfit[option.type] ?? (option.value === 'isbn' ? '1' : undefined))
  return value === undefined ? [] : [{ path, flag: option.long, value }]
})

describe('a bad value of an option', () => {
  it.each(cases)('is refused by name: $path $flag $value', async ({ path, flag, value }) => {
    const { run } = machine()
    const { code, out, err } = await run([...path.split(' '), flag, value, '--json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const { error } = JSON.parse(err)
    expect(error).toMatchObject({ exitCode: 2, hint: expect.any(String) })
    expect(error.message).toContain(flag)
    expect(error.message).toContain(value.split(',')[0])
  })

  it('is told in one line', async () => {
    const { err } = await machine().run(['users', 'list', '--limit', '0'])
    expect(err).toBe('error: --limit: "0" is not a whole number of at least 1\n  Write it like 20.\n')
  })
})
