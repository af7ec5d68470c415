import { extname } from 'node:path'
import * as z from 'zod/mini'
import { inEnglish } from '../../../service/contract/zod-parts.ts'
import { readDataFile } from '../../../system/data-file.ts'
import { UsageFailure } from '../../../system/errors.ts'
import type { MayRead } from '../../../system/may-read.ts'
import cb from './cb.json' with { type: 'json' }
import general from './general.json' with { type: 'json' }
import overdrive from './overdrive.json' with { type: 'json' }
import vlb from './vlb.json' with { type: 'json' }

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

const schema = z.object({
  name: z.string(),
  links: z.array(z.string()),
  codes: z.optional(z.record(z.string(), z.array(z.string()))),
  epubVersions: z.optional(z.record(z.string(), z.string())),
  requires: z.optional(z.array(z.string())),
})

/** What a receiver takes. */
export interface Receiver {
  /** What people call it. */
  readonly name: string
  /** Where it says so. */
  readonly links: readonly string[]
  /** The codes that it takes, by the number of the list; all of a list that is not named. */
  readonly codes?: { readonly [list in (typeof lists)[number]]?: readonly string[] }
  /** The code of list 220 that it wants for a version of EPUB, by the number before the point. */
  readonly epubVersions?: Readonly<Record<string, string>>
  /** Without these it does not take a record. */
  readonly requires?: readonly (typeof fields)[number][]
}

/** What no type says: names that are not known, and codes that are none. */
function faultIn(value: object): { readonly path: readonly string[]; readonly message: string } | undefined {
  const { codes = {}, epubVersions = {}, requires = [] } = value as z.infer<typeof schema>
  const known = Object.keys(schema.shape)
  const other = Object.keys(value).find(name => !known.includes(name))
  if (other !== undefined) return { path: [other], message: `is none of ${known.join(', ')}` }
  const list = Object.keys(codes).find(each => !lists.some(known => known === each))
  if (list !== undefined) return { path: ['codes', list], message: `is none of ${lists.join(', ')}` }
  const field = requires.findIndex(each => !(fields as readonly string[]).includes(each))
  if (field >= 0) return { path: ['requires', `${field}`], message: `is none of ${fields.join(', ')}` }
  const all = [
    ...Object.entries(codes).flatMap(([name, each]) => each.map(code => [['codes', name], code] as const)),
    ...Object.entries(epubVersions).map(([name, code]) => [['epubVersions', name], code] as const),
  ]
  const wrong = all.find(([, code]) => !/^[0-9A-Z]{2,4}$/.test(code))
  return wrong && { path: wrong[0], message: `"${wrong[1].slice(0, 20)}" is no code such as "09"` }
}

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
  if (Object.hasOwn(known, nameOrFile)) return known[nameOrFile] as Receiver
  if (extname(nameOrFile) === '')
    throw new UsageFailure(`there is no receiver "${nameOrFile}"`, {
      hint: `Name one of ${receiverNames.join(', ')}, or a file: --receiver ours.yaml`,
    })
  return await readDataFile(nameOrFile, mayRead, {
    ...{ most, code: 'bad_receiver', hint: 'docs/catalogue.md says what it may have.' },
    check(value) {
      const result = schema.safeParse(value, inEnglish)
      const fault = result.success ? faultIn(value as object) : result.error.issues[0]
      return fault ? { fault } : { data: result.data as Receiver }
    },
  })
}
