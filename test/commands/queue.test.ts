import { expect, it } from 'vitest'
import { parseRate } from '../../src/commands/queue/index.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

it.each([
  ['5/s', 5],
  ['0.125/s', 0.125],
  ['300/m', 5],
  ['1800/h', 0.5],
  ['none', null],
])('the rate %s is %j steps a second', (text, rate) => {
  expect(parseRate(text)).toBe(rate)
})

it.each(['5', '5/d', '0/s', '-5/s', '.5/s', '5./s', '0.1234/s', '1234567890/s', ' 5/s', '5/s ', 'None'])(
  '"%s" is not a rate',
  text => {
    expect(() => parseRate(text)).toThrow(`"${text}" is not a rate`)
  },
)

it('the options of queue are checked before its database is asked', async () => {
  const { type } = await transcriptOf()
  expect(
    await type([
      'pubctl queue limit 5',
      'pubctl queue status --failures some',
      'pubctl queue retry 1',
      'pubctl queue status',
      'pubctl worker --dry-run',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl queue limit 5
    ! error: "5" is not a rate
    !   Write it like 5/s, 300/m or 1000/h; none removes the limit.
    exit 2

    $ pubctl queue status --failures some
    ! error: --failures: "some" is not a whole number
    !   Write it like 20.
    exit 2

    $ pubctl queue retry 1
    ! error: "1" is not a UUID
    !   Write it like (id 1).
    exit 2

    $ pubctl queue status
    ! error: no database is named
    !   Name it with --database postgres://user@host/database, or in PUBCTL_DATABASE_URL.
    exit 2

    $ pubctl worker --dry-run
    ! error: --dry-run does not work with a worker, which carries out steps
    !   pubctl queue status counts the steps; pubctl catalogue apply --dry-run prints those of a plan.
    exit 2
  `)
})
