import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageText } from '../../src/catalogue/onix-message/message.ts'
import { exportedRecords } from '../../src/catalogue/onix-message/records.ts'
import { nothingSaid } from '../../src/catalogue/onix-message/sources.ts'
import { readProducts } from '../../src/catalogue/sources/products.ts'
import type { IndexedPublication } from '../../src/plan/known.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { writeLines } from '../../src/system/write-file.ts'
import { isbnOf } from '../support/servers/listed-service.ts'
import { contest } from './contest.ts'
import { type Bench, judge } from './row.ts'

const count = 20_000

/** A message of many products, written, and read beside it. */
export const onix: Bench = {
  name: 'onix',
  async run(machine) {
    const path = join(machine.folder, 'feed.xml')
    const turns = await contest(machine.turns(5), {
      write: () => processor(async () => writeMessage(path)),
      read: () => processor(async () => await readMessage(path)),
    })
    rmSync(path)
    return [
      judge(
        `${count.toLocaleString('en')} products written as ONIX 3.1, by the processor's time`,
        'reading them',
        { most: 0.5 },
        turns.write / turns.read,
        { writeMilliseconds: turns.write, readMilliseconds: turns.read },
      ),
    ]
  },
}

/** The milliseconds of the processor that something takes. */
async function processor(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function writeMessage(path: string): void {
  const records = exportedRecords({ all: publications, find: () => [] }, nothingSaid, {
    of: number => (number.endsWith('1') ? undefined : fileFacts),
  })
  const options = { release: '3.1', sender: { name: 'A Press' }, sentAt: 0 } as const
  writeLines(path, messageText(options, records.all()), { isPrivate: false })
  if (records.count() !== count) throw new Error('not all were written')
}

async function readMessage(path: string): Promise<void> {
  let read = 0
  for await (const product of readProducts([path], { mayRead: anyFile })) if (!('broken' in product)) read++
  if (read !== count) throw new Error('not all were read')
}

const fileFacts = {
  isFixed: false,
  epubVersion: '3.0',
  creators: [{ name: 'Ann Lee', fileAs: 'Lee, Ann', roles: ['aut', 'ill'] }],
  accessibility: ['04', '11', '13', '14', '29', '52', '81', '85'].map(value => ({ type: '09', value })),
  usage: [{ type: '11', status: '03' }],
  licenses: [],
}

function* publications(): Generator<IndexedPublication> {
  for (let number = 0; number < count; number++) {
    const editionId = `ed_${number}`
    yield {
      publicationId: `pub_${number}`,
      fields: {
        language: 'English',
        description: `What book ${number} is about & who is in it.\n\nIt has two paragraphs, of which this is one.`,
      },
      editions: [
        {
          ...{ editionId, isCurrent: true, type: 'EPUB', uploadStatus: 'available', sha256: null },
          ...{ bytes: 1_000_000 + number, wasSent: false, file: null },
          fields: {
            title: `The Book ${number}: A Story`,
            author: ['Ann Lee', 'Bo Ray'],
            metadata: {
              isbn: isbnOf(number),
              publisher: 'A Press & Sons',
              imprint: 'Salt',
              publicationDate: '2026-08-07',
              subjects: 'BISAC FIC022000; Thema FFP',
              keywords: 'sea; salt',
            },
          },
        },
      ],
      ...{ currentEditionId: editionId, collectionIds: null, readAt: 0, unread: null },
    }
  }
}
