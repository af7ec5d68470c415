import { basename } from 'node:path'
import type { Check } from '../books/outside-checks.ts'
import type { Context } from '../cli/context.ts'

/** A check by another program, which takes seconds, so that the user sees what is waited for. */
export const shownCheck =
  (name: string, check: Check, { waiting }: Pick<Context, 'waiting'>): Check =>
  async (file, book) => {
    const wait = waiting.begin(`${name} on ${basename(file)}`)
    try {
      return await check(file, book)
    } finally {
      wait.end()
    }
  }
