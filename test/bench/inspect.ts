import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sparseBook } from '../support/books/sparse-book.ts'
import { writeEpub, writePdf } from './batch.ts'
import { contest } from './contest.ts'
import { type Machine, node, plain, plainScript, pubctl } from './machine.ts'
import { type Bench, judge, judgeTime, type Measured, missing } from './row.ts'

/** How many PDFs are read, and how many milliseconds each may take. */
const pdfs = { count: 500, most: 25 }

/** How many EPUBs a folder has. */
const epubCount = 1000

/** Reading a book that is larger than 4 GiB, and many small ones. */
export const inspect: Bench = {
  name: 'inspect',
  async run(machine) {
    const path = join(machine.folder, 'large.epub')
    const file = openSync(path, 'w')
    sparseBook({
      write: (bytes, at) => void writeSync(file, bytes, 0, bytes.length, at),
      resize: size => ftruncateSync(file, size),
    })
    closeSync(file)
    const command = [...pubctl, 'inspect', path, '--json']
    const times = await contest(machine.turns(40), {
      node: () => machine.run([node, '-e', '0']),
      inspect: () => machine.run(command),
      plain: () => machine.run([...plain('inspect'), path, '--json']),
    })
    const what = '`pubctl inspect`, an EPUB of 4.8 GiB'
    const figures = { milliseconds: times.inspect, nodeMilliseconds: times.node }
    const peak = await machine.peakOf(command)
    const limits = { most: 1.6, memory: 100 }
    return [
      judge(what, '`node -e 0`', limits, times.inspect / times.node, figures, peak),
      judge(what, plainScript, { most: 1.2 }, times.inspect / times.plain, {
        milliseconds: times.inspect,
        plainMilliseconds: times.plain,
      }),
      await ofEpubs(machine),
      await ofPdfs(machine),
    ]
  },
}

/**
 * By what else reads each entry and compares it with its checksum. The program of 2026-11-22 took as long as that, and this one is to
 * take 0.6 of it.
 */
async function ofEpubs(machine: Machine): Promise<Measured> {
  const [what, reference] = [`\`pubctl inspect\`, a folder of ${epubCount} EPUBs`, '`unzip -t` of each']
  const limits = { most: 0.6, memory: 150 }
  if (!machine.has('unzip')) return missing(what, `≤ ${limits.most} × ${reference}`, 'unzip')
  const folder = join(machine.folder, 'inspected-epubs')
  mkdirSync(folder)
  for (let number = 0; number < epubCount; number++) await writeEpub(folder, number, false)
  const command = [...pubctl, 'inspect', folder, '--json']
  const times = await contest(machine.turns(4), {
    unzip: () => machine.run(['sh', '-c', `for book in '${folder}'/*.epub; do unzip -tqq "$book"; done`]),
    inspect: () => machine.run(command),
  })
  const figures = { milliseconds: times.inspect, unzipMilliseconds: times.unzip }
  return judge(what, reference, limits, times.inspect / times.unzip, figures, await machine.peakOf(command))
}

async function ofPdfs(machine: Machine): Promise<Measured> {
  const folder = join(machine.folder, 'inspected-pdfs')
  mkdirSync(folder)
  const files = Array.from({ length: pdfs.count }, (_, number) => writePdf(folder, number))
  const command = [...pubctl, 'inspect', ...files, '--json']
  const times = await contest(machine.turns(4), { inspect: () => machine.run(command) })
  const milliseconds = times.inspect / pdfs.count
  return judgeTime(
    `\`pubctl inspect\`, ${pdfs.count} PDFs (memory: without the processes that read them)`,
    'for each',
    { most: pdfs.most, memory: 200 },
    milliseconds,
    {},
    await machine.peakOf(command),
  )
}
