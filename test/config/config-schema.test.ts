import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as source from '../../src/config/config-file.ts'
import type { UsageFailure } from '../../src/system/errors.ts'
import { built } from '../support/machine/built.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

const work = { baseUrl: 'https://api.example.com', apiKey: 'pk_secret_1' }
const odd = [null, '', 'work', '__proto__', 0, -0.5, true, false, [], ['work'], {}, { length: 0 }, { work }]

/** Contents of config.json: good, damaged and odd. */
const contents = [
  ...odd.flatMap(current => odd.map(profiles => ({ current, profiles }))),
  ...odd.flatMap(value => [
    { current: value },
    { profiles: value },
    { theme: value },
    { profiles: { work: value } },
    value,
  ]),
  {
    current: 'work',
    profiles: { work: { ...work, apiKey: 7, colour: 'red' }, home: work },
    __internal__: { migrations: 1 },
  },
].map(value => JSON.stringify(value))
const texts = [
  ...contents,
  '',
  '{',
  '{"profiles":{"work":"pk_secret_1" "x"}}',
  `\ufeff${JSON.stringify({ profiles: { work } })}`,
  '{"__proto__":{"profiles":7},"current":"work"}',
  '{"profiles":{"__proto__":{"apiKey":"pk_secret_1"}}}',
  '{"current":7,"current":"work"}',
]

it('the profiles are read alike with the schema that the build compiled, and with ajv', async () => {
  const program = (await built('src/config/config-file.ts')) as typeof source
  const path = join(temporaryFolder(), 'config.json')
  const outcomeOf = ({ read }: source.ConfigFile) => {
    try {
      return { value: { ...read() } }
    } catch (error) {
      const { name, message, code, hint, exitCode } = error as UsageFailure
      return { name, message, code, hint, exitCode }
    }
  }
  const files = [program.openConfig(path), source.openConfig(path)]
  const codes = new Set<string | undefined>()
  for (const text of texts) {
    writeFileSync(path, text, { mode: 0o600 })
    const [one, other] = files.map(outcomeOf)
    expect(one, text).toStrictEqual(other)
    expect(one?.message ?? '', text).not.toContain('pk_secret')
    codes.add(one?.code)
  }
  expect([...codes]).toEqual([undefined, 'config_broken'])
})
