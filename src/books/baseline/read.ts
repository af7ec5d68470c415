import * as z from 'zod/mini'
import { inEnglish } from '../../service/contract/zod-parts.ts'
import { UsageFailure } from '../../system/errors.ts'
import { existsAt } from '../../system/free-names.ts'
import type { MayRead } from '../../system/may-read.ts'
import { readTextFile } from '../../system/open-file.ts'
import type { KnownBook } from './known.ts'

/** The longest file that is read, in bytes: some hundred thousand faults. */
const most = 32 * 1024 * 1024

const text = z.string().check(z.regex(/./s, 'is empty'))

const shape = z.strictObject({
  books: z.array(
    z.strictObject({
      file: text,
      isbn: z.optional(text),
      faults: z.array(
        z.strictObject({
          code: text,
          place: z.optional(text),
          isUnlisted: z.optional(z.boolean()),
          count: z.int().check(z.minimum(1)),
        }),
      ),
    }),
  ),
})

const hint = 'Write it with "pubctl inspect <books> --write-baseline <file>".'

/** The books of a baseline. Throws UsageFailure `bad_baseline` where there is none, and as `readTextFile`. */
export async function readBaseline(path: string, mayRead: MayRead): Promise<readonly KnownBook[]> {
  if (!existsAt(path)) throw new UsageFailure(`there is no baseline ${path}`, { code: 'bad_baseline', hint })
  const result = shape.safeParse(parsed(await readTextFile(path, mayRead, most)), inEnglish)
  if (result.success) return result.data.books
  const [issue] = result.error.issues
  const where = issue?.path.join('.') ?? ''
  throw new UsageFailure(`${path} is no baseline${where && `: ${where}: ${issue?.message}`}`, {
    code: 'bad_baseline',
    hint,
  })
}

/** What a text is as JSON; null for one that is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
