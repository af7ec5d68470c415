import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../../src/books/book.ts'
import { examineBook } from '../../../src/books/examine.ts'
import { openRules } from '../../../src/books/rules/index.ts'
import { anyFile } from '../../../src/system/may-read.ts'
import { temporaryFolder } from '../machine/pubctl.ts'

/** The problems of a book by the rules of a text, as of a day. */
export async function problemsBy(
  rules: string,
  book: Uint8Array,
  name = 'book.epub',
  day = '2026-06-01',
): Promise<Problem[]> {
  const folder = temporaryFolder()
  const [file, path] = [join(folder, name), join(folder, 'rules.yaml')]
  writeFileSync(file, book)
  writeFileSync(path, rules)
  const opened = await openRules([path], anyFile, Date.parse(day))
  return (await examineBook(file, anyFile, { rules: opened })).problems
}

/** The beginning and the end of a PNG of a size, which is all that is read of it. */
export function cutPng(width: number, height: number): Buffer {
  const start = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex')
  start.writeUInt32BE(width, 16)
  start.writeUInt32BE(height, 20)
  return Buffer.concat([start, Buffer.from('0000000049454e44ae426082', 'hex')])
}

/** The beginning and the end of a JPEG of so many components, which is all that is read of it. */
export function cutJpeg(components: number): Buffer {
  const frame = Buffer.from('ffc000110807d005dc00', 'hex')
  frame.writeUInt8(components, 9)
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.alloc(16), Buffer.from('ffd9', 'hex')])
}
