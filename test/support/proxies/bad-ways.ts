import {
  appendFileSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a way has to put a book into a folder with. */
interface Drop {
  /** Where the book is to be in the end. */
  readonly path: string
  readonly book: Buffer
  /** Another whole book of the same title, which must never arrive. */
  readonly draft: Buffer
  /** A folder on the same disk that nobody watches. */
  readonly aside: string
  /** The quiet period of the watcher, in milliseconds. */
  readonly quiet: number
}

/** The bad ways in which people and programs put a book into a folder. */
export const badWays: Readonly<Record<string, (drop: Drop) => Promise<void>>> = {
  'at once': async ({ path, book }) => writeFileSync(path, book),

  'slowly, in pieces': async ({ path, book, quiet }) => {
    const size = Math.ceil(book.length / 6)
    for (let start = 0; start < book.length; start += size) {
      appendFileSync(path, book.subarray(start, start + size))
      await sleep(quiet / 5)
    }
  },

  'with a pause that is longer than the quiet period': async ({ path, book, quiet }) => {
    const half = Math.floor(book.length / 2)
    writeFileSync(path, book.subarray(0, half))
    await sleep(quiet * 1.5)
    appendFileSync(path, book.subarray(half))
  },

  'under another name that is changed at the end': async ({ path, book, quiet }) => {
    writeFileSync(`${path}.part`, book)
    await sleep(quiet * 1.2)
    renameSync(`${path}.part`, path)
  },

  'as a hidden file that is renamed': async ({ path, book, quiet }) => {
    const hidden = join(dirname(path), `.${basename(path)}.Xy12`)
    writeFileSync(hidden, book)
    await sleep(quiet * 1.2)
    renameSync(hidden, path)
  },

  'as a draft that is written over again and again': async ({ path, book, draft, quiet }) => {
    for (let turn = 0; turn < 15; turn++) {
      writeFileSync(path, draft)
      await sleep(quiet / 20)
    }
    writeFileSync(path, book)
  },

  'as a draft that another file replaces': async ({ path, book, draft, aside, quiet }) => {
    writeFileSync(path, draft)
    const other = join(aside, basename(path))
    writeFileSync(other, book)
    await sleep(quiet / 10)
    renameSync(other, path)
  },

  'with its size reserved, and its end written first': async ({ path, book, quiet }) => {
    const file = openSync(path, 'w')
    ftruncateSync(file, book.length)
    await sleep(quiet * 1.2)
    const half = Math.floor(book.length / 2)
    writeSync(file, book, half, book.length - half, half)
    await sleep(quiet * 1.2)
    writeSync(file, book, 0, half, 0)
    closeSync(file)
  },

  'with a time of long ago': async ({ path, book }) => {
    writeFileSync(path, book.subarray(0, book.length - 10))
    utimesSync(path, 0, 0)
    writeFileSync(path, book)
    utimesSync(path, 0, 0)
  },

  'with a time in the future, over a draft of the same time': async ({ path, book, draft, quiet }) => {
    const later = Date.now() / 1000 + 86_400
    for (let turn = 0; turn < 10; turn++) {
      writeFileSync(path, draft)
      utimesSync(path, later, later)
      await sleep(quiet / 20)
    }
    writeFileSync(path, book)
    utimesSync(path, later, later)
  },

  'in a folder that is moved in': async ({ path, book, aside }) => {
    const name = `folder of ${basename(path)}`
    mkdirSync(join(aside, name))
    writeFileSync(join(aside, name, basename(path)), book)
    renameSync(join(aside, name), join(dirname(path), name))
  },

  'as a copy of what was there under another name before': async ({ path, book, aside, quiet }) => {
    const other = join(aside, `before ${basename(path)}`)
    writeFileSync(other, book)
    copyFileSync(other, `${path}.tmp`)
    await sleep(quiet / 2)
    renameSync(`${path}.tmp`, path)
  },
}
