import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageText } from '../../src/catalogue/onix-message/message.ts'
import { receiverOf } from '../../src/catalogue/onix-message/receivers/index.ts'
import { exportedRecords } from '../../src/catalogue/onix-message/records.ts'
import { nothingSaid } from '../../src/catalogue/onix-message/sources.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { hasOnixSchema, schemaFaults } from '../support/catalogues/onix-schema.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { listedService } from '../support/servers/listed-service.ts'

const publication = {
  publicationId: 'pub_1',
  fields: { language: 'English', description: 'One.\nTwo.' },
  editions: [
    {
      ...{ editionId: 'ed_1', isCurrent: true, type: 'EPUB', uploadStatus: 'available', sha256: null },
      ...{ bytes: 1000, wasSent: false, file: null },
      fields: {
        title: 'The Sea',
        author: ['Ann Lee'],
        metadata: { isbn: '9783161484100', publisher: 'A Press', subjects: 'Thema FFP', keywords: 'sea' },
      },
    },
  ],
  ...{ currentEditionId: 'ed_1', collectionIds: null, readAt: 0, unread: null },
}

const file = {
  isFixed: false,
  epubVersion: '3.0',
  creators: [{ name: 'Bo Ray', roles: ['trl'] }],
  accessibility: [
    { type: '09', value: '04' },
    { type: '09', value: '90', description: 'A Certifier' },
    { type: '12', value: '00' },
  ],
  usage: [{ type: '11', status: '03' }],
  licenses: [],
}

describe.each(['general', 'vlb', 'cb', 'overdrive'])('the message for %s', name => {
  it('is the golden one, and valid', async () => {
    const receiver = await receiverOf(name, anyFile)
    const index = { all: () => [publication], find: () => [] }
    const records = exportedRecords(index, nothingSaid, { of: () => file }, receiver)
    const options = { release: '3.1', sender: { name: 'A Press' }, sentAt: 0 } as const
    const text = [...messageText(options, records.all())].join('')
    await expect(text).toMatchFileSnapshot(`golden/${name}.xml`)
    const path = join(temporaryFolder(), 'feed.xml')
    writeFileSync(path, text)
    expect(hasOnixSchema ? schemaFaults([path]) : []).toEqual([])
    expect({
      notTaken: [...records.notTaken.keys()],
      failures: records.failures.map(({ failure }) => failure.message),
    }).toEqual({
      notTaken: name === 'vlb' ? ['12 of list 79', '10 of list 79'] : [],
      failures: name === 'overdrive' ? ['OverDrive requires publicationDate, which nothing says of it'] : [],
    })
  })
})

describe('a receiver of a file', () => {
  const read = async (text: string) => {
    const path = join(temporaryFolder(), 'ours.yaml')
    writeFileSync(path, text)
    return await receiverOf(path, anyFile)
  }

  it('may be YAML or JSON', async () => {
    const ours = { name: 'Ours', links: [], codes: { '196': ['04', '85'] } }
    expect(await read('name: Ours\nlinks: []\ncodes:\n  "196": ["04", "85"]\n')).toEqual(ours)
    expect(await read(JSON.stringify(ours))).toEqual(ours)
  })

  it.each([
    ['name: Ours\nlinks: []\ncodes:\n  "196": [4]\n', 'line 4, column 11'],
    ['name: Ours\nlinks: []\ncodes:\n  "1": ["04"]\n', 'line 4, column'],
    ['name: Ours\nlinks: [\n', 'line 3, column'],
    ['name: Ours\nlinks: []\nrequire: [isbn]\n', 'line 3, column 10'],
    ['name: &a Ours\nlinks: [*a]\n', 'alias'],
    ['', 'line 1, column 1'],
  ])('is refused with the place for %j', async (text, says) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'bad_receiver', exitCode: 2 })
    await expect(read(text)).rejects.toThrow(says)
  })

  it('counts what the receiver does not take, and ends with 10 where it requires more', async () => {
    const { env } = await listedService({ count: 2 })
    const { run } = machine(env)
    const folder = temporaryFolder()
    const ours = join(folder, 'ours.yaml')
    writeFileSync(ours, 'name: Ours\nlinks: []\ncodes:\n  "23": []\nrequires: [subjects]\n')
    const write = (receiver: string) =>
      run(['catalogue', 'export', '--onix', join(folder, 'feed.xml'), '--receiver', receiver])
    const { code, err } = await write(ours)
    expect(code).toBe(10)
    expect(err).toContain('Ours does not take these codes, and they are left out: 22 of list 23 (2)')
    expect(err).toContain('pub_0: Ours requires subjects, which nothing says of it')
    expect((await write('none')).err).toContain('there is no receiver "none"')
    expect((await write(join(folder, 'none.yaml'))).code).toBe(2)
  })
})
