import type { ArgumentNode, CommandNode, OptionNode } from '../cli/command-tree.ts'

/** The JSON schema of one value that a tool takes. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** What a list consists of. A text that has this may be a list as well. */
  readonly items?: ValueSchema
}

/** The JSON schema of all that a tool takes, as agents are told of it. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ListedSchema>>
  readonly required?: readonly string[]
}

/** The schema of a value without its limits: who goes beyond one is told so. */
type ListedSchema = Pick<ValueSchema, 'type' | 'description' | 'enum'> & { readonly items?: ListedSchema }

/** Where a value of a tool goes on the command line; what stands apart is not on it. */
type Place =
  | { readonly kind: 'apart' }
  | { readonly kind: 'argument'; readonly file: FileUse | undefined }
  | { readonly kind: 'option'; readonly flag: string; readonly file: FileUse | undefined }
  | { readonly kind: 'switch'; readonly on: string; readonly off: string | undefined }

/** What happens to the file that a value names. */
export type FileUse = 'read' | 'written'

/** A value that a tool takes, and where it goes. */
export interface Property {
  readonly name: string
  readonly schema: ValueSchema
  readonly isRequired: boolean
  readonly place: Place
  /** What is no file although others are, such as `auto` for a cover. */
  readonly words: readonly string[]
  /** Whether agents are told of it. Every word that they are told takes room in what their model reads with each request. */
  readonly isListed: boolean
}

/** The most that one text may have, in characters, and the most texts of one list. */
const [longestText, mostTexts] = [20_000, 1000]

const text: ValueSchema = { type: 'string', maxLength: longestText }
const list = (items: ValueSchema): ValueSchema => ({ type: 'array', items, maxItems: mostTexts })

/** The schemas of the types of values, where they are more than text. */
const byType: Readonly<Record<string, ValueSchema>> = {
  integer: { type: 'integer', minimum: 1 },
  month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', maxLength: 7 },
  day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 },
}

/** The values that agents can give to every tool, and to some. The fields are listed where there are many results. */
const ofEvery = (node: CommandNode): Property[] => [
  {
    ...option('fields', '--fields', {
      ...text,
      items: text,
      maxItems: mostTexts,
      description: 'only these, such as title,editions.id',
    }),
    isListed: node.does === 'reads' && node.options.some(({ long }) => long === '--limit'),
  },
  ...(node.waits
    ? [
        option('timeout', '--timeout', {
          ...text,
          description: 'the longest wait, such as 10m; default: 30s',
        }),
      ]
    : []),
  ...(node.changes && node.does !== 'deletes'
    ? [flag('dry_run', '--dry-run', 'only show what would be sent')]
    : []),
]

const option = (name: string, long: string, schema: ValueSchema): Property => ({
  ...{ name, schema, isRequired: false, words: [], isListed: true },
  place: { kind: 'option', flag: long, file: undefined },
})

const flag = (name: string, on: string, description: string): Property => ({
  ...{ name, isRequired: false, words: [], isListed: true, schema: { type: 'boolean', description } },
  place: { kind: 'switch', on, off: undefined },
})

/** What a command takes from an agent. Options that write files are among it only where agents may write. */
export function propertiesOf(node: CommandNode, { mayWrite }: { mayWrite: boolean }): Property[] {
  const own = node.options
    .filter(each => each.isForAgents && (mayWrite || !each.isWritten))
    .filter(each => !isOffOf(each, node.options))
  const isPaged = own.some(({ long }) => long === '--next-token')
  return [
    ...node.arguments.map(ofArgument),
    ...own.map(each => ofOption(each, !unlisted.has(each.long) && (isPaged || each.long !== '--all'))),
    ...ofEvery(node),
  ]
}

/**
 * Options that agents can give and are not told of: a list goes on with the tool `next`, what fails is in the answer, how a
 * machine goes about its work is a question for people, and what few need is named by the error or the step that calls for it.
 */
const unlisted = new Set([
  ...['--next-token', '--concurrency', '--stop-on-error', '--continue', '--shard', '--detailed-exitcode'],
  ...[
    '--encoding',
    '--name',
    '--refresh',
    '--no-wait',
    '--strict',
    '--asc',
    '--calendar',
    '--top',
    '--failures',
  ],
  ...['--reissue', '--overwrite-drifted', '--new', '--accepted', '--exclude', '--action', '--max-changes'],
  ...['--orphans', '--again', '--no-check', '--epubcheck', '--ace', '--rights', '--feed'],
])

/** Whether it is the `--no-…` form of another option, which takes false instead. */
const isOffOf = ({ long }: OptionNode, all: readonly OptionNode[]): boolean =>
  long.startsWith('--no-') && all.some(other => other.isNegatable && other.long === `--${long.slice(5)}`)

function ofArgument({ name, isRequired, isVariadic, type, choices, description }: ArgumentNode): Property {
  const value = schemaOfType(type, choices)
  const file = isFile(type) ? 'read' : undefined
  return {
    name: propertyName(name),
    // Of ids, the tool's own description and its answers say enough.
    schema: described(
      isVariadic ? { ...list(value), ...(isRequired ? { minItems: 1 } : {}) } : value,
      file && description,
    ),
    isRequired,
    place: { kind: 'argument', file },
    words: [],
    isListed: true,
  }
}

function ofOption(node: OptionNode, isListed: boolean): Property {
  const { long, value, type, choices, isRequired, isRepeatable, isNegatable, isWritten, description } = node
  const name = propertyName(long.slice(2))
  if (value === null) {
    const schema = described({ type: 'boolean' }, description)
    const off = isNegatable ? `--no-${long.slice(2)}` : undefined
    return { name, schema, isRequired, isListed, words: [], place: { kind: 'switch', on: long, off } }
  }
  const file = isFile(type) ? (isWritten ? 'written' : 'read') : undefined
  const one = schemaOfType(type, choices)
  const byDefault =
    node.default === null || typeof node.default === 'object' ? '' : `default: ${node.default}`
  return {
    name,
    schema: described(isRepeatable ? list(one) : one, description, byDefault),
    isRequired,
    isListed,
    place: { kind: 'option', flag: long, file },
    words: file && typeof node.default === 'string' ? coverWords : [],
  }
}

/** The option whose default is a word takes these instead of a file. */
const coverWords = ['auto', 'none']

const isFile = (type: string): boolean => type === 'file' || type === 'folder'

const schemaOfType = (type: string, choices: readonly string[] | null): ValueSchema =>
  choices ? { type: 'string', enum: choices } : (byType[type] ?? text)

function described(schema: ValueSchema, ...about: readonly (string | undefined)[]): ValueSchema {
  const description = about.filter(Boolean).join('; ')
  return description === '' ? schema : { ...schema, description }
}

/** A name of the command line as agents write it: `next_token`. */
export const propertyName = (words: string): string => words.replace(/[ -]/g, '_')

/**
 * The JSON schema of all that a tool takes, as agents are told of it. `told` holds the descriptions that other tools have
 * given already: values of one name and one description are described once.
 */
export function schemaOf(properties: readonly Property[], told: Set<string>): InputSchema {
  const isNew = (name: string, description = ''): boolean => {
    const key = `${name}: ${description}`
    if (description === '' || told.has(key)) return false
    told.add(key)
    return true
  }
  const listed = properties.filter(({ isListed }) => isListed)
  const required = listed.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      listed.map(({ name, schema }) => {
        const { description, ...shape } = listedSchema(schema)
        return [name, description && isNew(name, description) ? { ...shape, description } : shape]
      }),
    ),
    ...(required.length > 0 && { required }),
  }
}

const listedSchema = ({ type, description, enum: values, items }: ValueSchema): ListedSchema => ({
  type,
  ...(description !== undefined && { description }),
  ...(values && { enum: values }),
  ...(type === 'array' && items && { items: listedSchema(items) }),
})
