import { closeSync, constants, createWriteStream, existsSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fullRecord } from '../support/catalogues/onix-record.ts'
import { bundleScript, removeFolder } from '../support/machine/child-script.ts'
import { mostMemory } from '../support/machine/most-memory.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** Records of a message, of 8 kB each. */
const count = 100_000
/** Rows of a sheet, of 900 bytes each. */
const rows = 100_000
/**
 * How many MiB more may be in use after three quarters of the products than after a quarter: what V8 keeps for itself differs
 * by 1.2 from run to run, whatever the number of rows; half of the products, if they were kept, would take 3 and more.
 */
const mostGrowth = 2

const script = `
import { readFileSync } from 'node:fs'
import { readProducts } from '../../src/catalogue/sources/products.ts'
import { anyFile } from '../../src/system/may-read.ts'
let [products, broken, failure] = [0, 0, '']
const [, , path, first, last] = process.argv
const used = {}
try {
  for await (const product of readProducts([path], { mayRead: anyFile })) {
    if ('broken' in product) broken += 1
    else products += 1
    if (products === Number(first) || products === Number(last)) {
      gc()
      const { heapUsed, external } = process.memoryUsage()
      used[products] = (heapUsed + external) / 2 ** 20
    }
  }
} catch (error) {
  failure = error.message
}
const peak = parseInt(readFileSync('/proc/self/status', 'utf8').split('VmHWM:')[1]) / 1024
process.stdout.write(JSON.stringify({ products, broken, failure, peak, growth: used[last] - used[first] }))
`

function* messageOf(records: number): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?><ONIXMessage release="3.0">'
  const body = fullRecord.replace('<p>One', `<p>${'Salt water. '.repeat(225)}One`)
  for (let number = 0; number < records; number++) yield body.replace('org.example.sea', `sea-${number}`)
  yield '</ONIXMessage>'
}

function* sheetOf(rows: number): Generator<string> {
  yield 'isbn,title,description\n'
  for (let number = 0; number < rows; number++)
    yield `9783161484100,Title ${number},"${'Salt water, and more. '.repeat(40)}"\n`
}

const scripts = mkdtempSync(join(tmpdir(), 'pubctl-onix-'))
const reader = join(scripts, 'read.mjs')
beforeAll(() => bundleScript(script, reader))
afterAll(() => removeFolder(scripts))

/** What a process of its own tells that reads products from a pipe into which the text is written. */
async function readPiped(name: string, text: Iterable<string>, products = 0) {
  const pipe = join(temporaryFolder(), name)
  await execa('mkfifo', [pipe])
  const reading = execa(process.execPath, [
    '--expose-gc',
    reader,
    pipe,
    `${products / 4}`,
    `${(products * 3) / 4}`,
  ])
  // A reader that never opened the pipe would leave its writer waiting for ever, and a thread of this process with it.
  const opened = reading.finally(() => closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)))
  // A reader that refuses the message stops early, so that the rest cannot be written.
  await pipeline(Readable.from(text), createWriteStream(pipe)).catch(error =>
    expect(error.code).toBe('EPIPE'),
  )
  const told = JSON.parse((await opened).stdout)
  expect(told.peak).toBeGreaterThan(10)
  expect(told.peak).toBeLessThan(mostMemory)
  if (products > 0) expect(told.growth).toBeLessThan(mostGrowth)
  return told
}

describe.runIf(isSlow && existsSync('/proc/self/status'))('memory stays flat', () => {
  it(`while an ONIX message of ${count} records is read`, { timeout: 600_000 }, async () => {
    const told = await readPiped('message.xml', messageOf(count), count)
    expect(told).toMatchObject({ products: count, broken: 0, failure: '' })
  })

  it(`while a sheet of ${rows} rows is read`, { timeout: 120_000 }, async () => {
    const told = await readPiped('sheet.csv', sheetOf(rows), rows)
    expect(told).toMatchObject({ products: rows, failure: '' })
  })

  it.each<[string, () => Generator<string>, RegExp]>([
    [
      'a text that never ends',
      () => endless('<Product><CollateralDetail><TextContent><Text>', letters),
      /larger than 4 MiB/,
    ],
    ['an attribute that never ends', () => endless('<Product a="', letters), /larger than 4 MiB/],
    ['a comment that never ends', () => endless('<!--', letters), /larger than 4 MiB/],
    ['a tag that never ends', () => endless('<', letters), /larger than 4 MiB/],
    ['a document type that never ends', () => endless('', letters, '<!DOCTYPE a ['), /larger than 4 MiB/],
    [
      'elements without end',
      () => endless('<Product><DescriptiveDetail>', '<Subject/>'.repeat(1000)),
      /more elements/,
    ],
    ['attributes without end', () => endless('<Product ', attributes), /more attributes/],
    ['elements that are nested without end', () => endless('<Product>', '<a>'.repeat(1000)), /nested deeper/],
  ])('while %s is read', { timeout: 120_000 }, async (_, text, words) => {
    const { failure } = await readPiped('message.xml', text())
    expect(failure).toMatch(words)
  })
})

const letters = 'x'.repeat(65_536)
const attributes = Array.from({ length: 1000 }, (_, index) => `a${index}="x" `).join('')

/** A hundred megabytes and more of a piece after a beginning. */
function* endless(start: string, piece: string, root = '<ONIXMessage release="3.0">'): Generator<string> {
  yield root + start
  for (let bytes = 0; bytes < 100_000_000; bytes += piece.length) yield piece
}
