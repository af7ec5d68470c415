import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sparseBook } from '../support/sparse-book.ts'
import { contest } from './contest.ts'
import { node, pubctl } from './machine.ts'
import { type Bench, judge } from './row.ts'

/** Reading a book that is larger than 4 GiB. */
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
    })
    const figures = { milliseconds: times.inspect, nodeMilliseconds: times.node }
    const peak = await machine.peakOf(command)
    const limits = { most: 2, memory: 100 }
    return [
      judge(
        '`pubctl inspect`, an EPUB of 4.8 GiB',
        '`node -e 0`',
        limits,
        times.inspect / times.node,
        figures,
        peak,
      ),
    ]
  },
}
