import { extname } from 'node:path'
import * as z from 'zod/mini'
import { inEnglish } from '../../../service/contract/zod-parts.ts'
import { UsageFailure } from '../../../system/errors.ts'
import type { MayRead } from '../../../system/may-read.ts'
import { readTextFile } from '../../../system/open-file.ts'
import cb from './cb.json' with { type: 'json' }
import general from './general.json' with { type: 'json' }
import overdrive from './overdrive.json' with { type: 'json' }
import vlb from './vlb.json' with { type: 'json' }

const code = () => z.string().check(z.regex(/^[0-9A-Z]{2,4}$/))
const lists = ['17', '23', '27', '79', '143', '145', '163', '196'] as const
const fields = [
  'isbn',
  'author',
  'language',
  'description',
  'publisher',
  'publicationDate',
  'subjects',
] as const

const schema = z.strictObject({
  /** What people call the receiver. */
  name: z.string().check(z.minLength(1)),
  /** Where it says so. */
  links: z.array(z.url()),
  /** The codes that it takes, by the number of the list; all of a list that is not named. */
  codes: z.optional(z.partialRecord(z.enum(lists), z.array(code()))),
  /** The code of list 220 that it wants for a version of EPUB, by the number before the point. */
  epubVersions: z.optional(z.record(z.string().check(z.regex(/^\d$/)), code())),
  /** Without these it does not take a record. */
  requires: z.optional(z.array(z.enum(fields))),
})

/** What a receiver takes. */
export type Receiver = z.infer<typeof schema>

const known: Readonly<Record<string, unknown>> = { general, vlb, cb, overdrive }

/** One of which nothing is known. */
export const anyReceiver: Receiver = general

/** The names of the receivers that are known. */
const receiverNames: readonly string[] = Object.keys(known)

/** The longest file that is read, in bytes. */
const most = 64 * 1024

/**
 * A receiver by its name, or from a file in YAML or JSON. Throws UsageFailure `bad_receiver` with line and column for a file
 * that says something else.
 */
export async function receiverOf(nameOrFile: string, mayRead: MayRead): Promise<Receiver> {
  if (Object.hasOwn(known, nameOrFile)) return schema.parse(known[nameOrFile])
  if (extname(nameOrFile) === '')
    throw new UsageFailure(`there is no receiver "${nameOrFile}"`, {
      hint: `Name one of ${receiverNames.join(', ')}, or a file: --receiver ours.yaml`,
    })
  const text = await readTextFile(nameOrFile, mayRead, most)
  return await parsed(nameOrFile, text)
}

async function parsed(path: string, text: string): Promise<Receiver> {
  const { LineCounter, parseDocument, isNode } = await import('yaml')
  const lines = new LineCounter()
  const parsedText = parseDocument(text, { lineCounter: lines })
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0)
    return `line ${line}, column ${col}`
  }
  const [error] = parsedText.errors
  if (error)
    throw bad(path, `${error.message.split('\n')[0]?.replace(/ at line.*$/, '')}: ${at(error.pos[0])}`)
  const result = schema.safeParse(plainValue(parsedText, path), inEnglish)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const names = (issue?.path ?? []).map(String)
  const node = names.length === 0 ? parsedText.contents : parsedText.getIn(issue?.path as string[], true)
  const offset = isNode(node) ? node.range?.[0] : undefined
  throw bad(path, `${[names.join('.'), issue?.message].filter(Boolean).join(': ')}: ${at(offset)}`)
}

/** Aliases are of no use in so little, and can be made to take all memory. */
function plainValue(
  parsedText: { toJS(options: { maxAliasCount: number }): unknown },
  path: string,
): unknown {
  try {
    return parsedText.toJS({ maxAliasCount: 0 })
  } catch {
    throw bad(path, 'has an alias, which is of no use there')
  }
}

const bad = (path: string, says: string): UsageFailure =>
  new UsageFailure(`${path} cannot be used: ${says}`, {
    code: 'bad_receiver',
    hint: 'docs/catalogue.md says what it may have.',
  })
