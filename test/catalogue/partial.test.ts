import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { message, record } from '../support/catalogues/onix.ts'

const description = (text: string) =>
  `<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>${text}</Text></TextContent>`

/** A record that holds a description and an imprint, and nothing else (notification 04). */
const partial = (text: string) =>
  message(
    record({
      ...{ notification: '04', title: '', collateral: description(text) },
      publishing: '<Imprint><ImprintName>A Small Press</ImprintName></Imprint>',
    }),
  )

it('a partial record changes what it holds, and keeps the rest in a new edition', async () => {
  const { sandbox, folder, book, write, upload } = catalogue()
  const name = `${isbns[0]}.epub`
  book(name, bookOf('Own Title'))
  const feed = join(folder, 'feed.xml')
  const plan = async (...args: string[]) => {
    const line = ['catalogue', 'plan', feed, '--files', folder, ...args, '--json']
    return JSON.parse((await sandbox(line)).out)
  }
  writeFileSync(feed, partial('New.'))
  expect(await plan()).toMatchObject([{ action: 'ignored', why: expect.stringContaining('partial') }])

  write(
    'file,title,author,isbn,publisher,description,metadata.imprint,metadata.shelf',
    `${name},The Title,Ann,${isbns[0]},A Press,Old.,A Small Press,A1`,
  )
  for (const key of ['imprint', 'shelf'])
    expect((await sandbox(['metadata-keys', 'create', key])).code).toBe(0)
  await upload()
  expect(await plan()).toMatchObject([{ action: 'update', send: { description: 'New.' } }])

  book(name, bookOf('Own Title', 'Corrected.'))
  const out = join(folder, 'plan.ndjson')
  expect(await plan('--out', out)).toMatchObject([
    {
      action: 'edition',
      send: {
        description: 'New.',
        edition: {
          ...{ title: 'The Title', author: ['Ann'] },
          metadata: { isbn: isbns[0], publisher: 'A Press', imprint: 'A Small Press', shelf: 'A1' },
        },
      },
    },
  ])
  expect((await sandbox(['catalogue', 'apply', out, '--json'])).code).toBe(0)
  expect((await plan()).map(({ action }: { action: string }) => action)).toEqual(['skip'])
})
