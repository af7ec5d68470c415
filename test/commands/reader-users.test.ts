import { expect, it } from 'vitest'
import { transcriptOf } from '../support/machine/transcript.ts'

const summary = {
  id: 'ru_1',
  deviceId: 'dev_1',
  userId: null,
  lastOrigin: 'https://reader.example.org',
  lastSessionStartedAt: '2026-02-03T04:05:06.000Z',
  numberOfBooksRead: 1234,
  currentPublicationId: 'pub_1',
}
const whole = {
  ...summary,
  origins: ['https://reader.example.org'],
  currentPublication: { publicationId: 'pub_1', title: 'A Tale' },
  currentReadingState: { progression: 0.256, chapterTitle: 'Two' },
  readingHistory: [
    { publicationId: 'pub_1', title: 'A Tale' },
    { publicationId: 'pub_2', title: 'Another' },
  ],
}

const service = () =>
  transcriptOf({
    'GET /v1/reader-users': ({ url }) =>
      url.includes('nextToken')
        ? { items: [{ ...summary, id: 'ru_2' }], nextToken: null }
        : { items: [summary], nextToken: 't' },
    'GET /v1/reader-users/ru_1': { item: whole },
  })

it('reader-users list', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl reader-users list',
      'pubctl reader-users list --limit 1 --fields id',
      'pubctl reader-users list --limit 2 --query [].id',
      'pubctl reader-users list --all --json --fields id,numberOfBooksRead',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-users list
    > GET /v1/reader-users
    > GET /v1/reader-users?nextToken=t
    ru_1⇥⇥dev_1⇥https://reader.example.org⇥2026-02-03T04:05:06.000Z⇥1234
    ru_2⇥⇥dev_1⇥https://reader.example.org⇥2026-02-03T04:05:06.000Z⇥1234

    $ pubctl reader-users list --limit 1 --fields id
    > GET /v1/reader-users?limit=1
    ru_1
    ! warning: the listing was cut: these are the first 1, and there are more
    !   Use --all to see everything, or a higher --limit.

    $ pubctl reader-users list --limit 2 --query [].id
    > GET /v1/reader-users?limit=2
    > GET /v1/reader-users?limit=1&nextToken=t
    ru_1
    ru_2

    $ pubctl reader-users list --all --json --fields id,numberOfBooksRead
    > GET /v1/reader-users
    > GET /v1/reader-users?nextToken=t
    [
    {"id":"ru_1","numberOfBooksRead":1234},
    {"id":"ru_2","numberOfBooksRead":1234}
    ]
  `)
  expect(await type('pubctl reader-users list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl reader-users list
    > GET /v1/reader-users
    > GET /v1/reader-users?nextToken=t
    ID    USER ID  DEVICE ID  LAST ORIGIN                 LAST SESSION    BOOKS READ
    ru_1           dev_1      https://reader.example.org  2026-02-03      1,234
    ru_2           dev_1      https://reader.example.org  2026-02-03      1,234
  `)
  expect(await type('pubctl reader-users list', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl reader-users list
    > GET /v1/reader-users
    > GET /v1/reader-users?nextToken=t
    ID    USER ID  DEVICE ID  LAST ORIGIN                 LAST SESSION      BOOKS READ
    ru_1           dev_1      https://reader.example.org  2026-02-03 04:05  1,234
    ru_2           dev_1      https://reader.example.org  2026-02-03 04:05  1,234
  `)
})

it('reader-users get', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl reader-users get ru_1',
      'pubctl reader-users get ru_1 --query readingHistory[].title',
      'pubctl reader-users get ru_9',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl reader-users get ru_1
    > GET /v1/reader-users/ru_1
    ru_1⇥⇥dev_1⇥https://reader.example.org⇥2026-02-03T04:05:06.000Z⇥1234

    $ pubctl reader-users get ru_1 --query readingHistory[].title
    > GET /v1/reader-users/ru_1
    A Tale
    Another

    $ pubctl reader-users get ru_9
    > GET /v1/reader-users/ru_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
  expect(await type('pubctl reader-users get ru_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl reader-users get ru_1
    > GET /v1/reader-users/ru_1
    id                      ru_1
    device id               dev_1
    last origin             https://reader.example.org
    last session            2026-02-03 04:05
    books read              1,234
    current publication id  pub_1
    origins                 https://reader.example.org
    now reading             A Tale
    progression             26 %
    chapter title           Two
    has read                A Tale; Another
  `)
})
