import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PlanStep } from '../../../src/plan/plan-step.ts'
import { makeBook } from '../books/make-book.ts'
import { machine } from '../machine/pubctl.ts'

export const isbns = ['9783161484100', '9780306406157', '9780198526636'] as const

/** A book with a title and a text of its own. */
export const bookOf = (title: string, text = 'One.') =>
  makeBook({
    metadata: `<dc:title>${title}</dc:title><dc:creator>Own Author</dc:creator><dc:language>en</dc:language>`,
    entries: {
      'EPUB/one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${text}</p></body></html>`,
    },
  })

/** A machine with a catalogue of books, and what plans of it say. `env` names a service in place of the machine's sandbox. */
export function catalogue(env?: Record<string, string>) {
  const pc = machine(env)
  const run = env === undefined ? pc.sandbox : pc.run
  const folder = join(pc.home, 'catalogue')
  mkdirSync(folder)
  const sheet = join(folder, 'books.csv')
  const write = (...lines: string[]) => writeFileSync(sheet, `${lines.join('\n')}\n`)
  const book = (name: string, content: Buffer) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const plan = async (...args: string[]) => {
    const { code, out, err } = await run(['catalogue', 'plan', sheet, ...args, '--json'])
    const steps: PlanStep[] = out === '' ? [] : JSON.parse(out)
    return { code, err, steps, actions: steps.map(({ action }) => action) }
  }
  /** Uploads the books of a sheet without a plan. */
  const upload = async (manifest = sheet) => {
    const { code, err } = await run(['publications', 'upload', '--manifest', manifest, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
  }
  return { ...pc, run, folder, sheet, write, book, plan, upload }
}
