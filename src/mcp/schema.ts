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
  readonly items?: ValueSchema
}

/** The JSON schema of all that a tool takes. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ValueSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** Where a value of a tool goes on the command line; what stands apart is not on it. */
type Place =
  | { readonly kind: 'apart' }
  | { readonly kind: 'argument'; readonly file: FileUse | undefined }
  | { readonly kind: 'option'; readonly flag: string; readonly file: FileUse | undefined }
  | { readonly kind: 'switch'; readonly on: string; readonly off: string | undefined }

/** What happens to the file that a value names. */
export type FileUse = 'read' | 'written'

/** A value that a tool takes, and what becomes of it. */
export interface Property {
  readonly name: string
  readonly schema: ValueSchema
  readonly isRequired: boolean
  readonly place: Place
  /** What is no file although others are, such as `auto` for a cover. */
  readonly words: readonly string[]
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

/** The values that agents can give to every tool, and to some. */
const ofEvery = (node: CommandNode): Property[] => [
  option('fields', '--fields', {
    ...list(text),
    description: 'only these fields of the result, such as title or a.b; fewer fields make shorter answers',
  }),
  ...(node.waits
    ? [option('timeout', '--timeout', { ...text, description: 'the longest wait, such as 10m' })]
    : []),
  ...(node.changes && node.does !== 'deletes'
    ? [flag('dry_run', '--dry-run', 'show the requests that would change something, and send none of them')]
    : []),
]

const option = (name: string, long: string, schema: ValueSchema): Property => ({
  ...{ name, schema, isRequired: false, words: [] },
  place: { kind: 'option', flag: long, file: undefined },
})

const flag = (name: string, on: string, description: string): Property => ({
  ...{ name, isRequired: false, words: [], schema: { type: 'boolean', description } },
  place: { kind: 'switch', on, off: undefined },
})

/** What a command takes from an agent. Options that write files are among it only where agents may write. */
export function propertiesOf(node: CommandNode, { mayWrite }: { mayWrite: boolean }): Property[] {
  const own = node.options
    .filter(each => each.isForAgents && (mayWrite || !each.isWritten))
    .filter(each => !isOffOf(each, node.options))
  return [...node.arguments.map(ofArgument), ...own.map(each => ofOption(each)), ...ofEvery(node)]
}

/** Whether it is the `--no-…` form of another option, which takes false instead. */
const isOffOf = ({ long }: OptionNode, all: readonly OptionNode[]): boolean =>
  long.startsWith('--no-') && all.some(other => other.isNegatable && other.long === `--${long.slice(5)}`)

function ofArgument({ name, isRequired, isVariadic, type, choices, description }: ArgumentNode): Property {
  const value = schemaOfType(type, choices)
  const file = isFile(type) ? 'read' : undefined
  return {
    name: nameOf(name),
    schema: described(
      isVariadic ? { ...list(value), ...(isRequired ? { minItems: 1 } : {}) } : value,
      ...[description, file && aboutFile.read],
    ),
    isRequired,
    place: { kind: 'argument', file },
    words: [],
  }
}

function ofOption(node: OptionNode): Property {
  const { long, value, type, choices, isRequired, isRepeatable, isNegatable, isWritten, description } = node
  const name = nameOf(long.slice(2))
  if (value === null) {
    const schema = described({ type: 'boolean' }, description)
    const off = isNegatable ? `--no-${long.slice(2)}` : undefined
    return { name, schema, isRequired, words: [], place: { kind: 'switch', on: long, off } }
  }
  const file = isFile(type) ? (isWritten ? 'written' : 'read') : undefined
  const one = schemaOfType(type, choices)
  const byDefault =
    node.default === null || typeof node.default === 'object' ? '' : `default: ${node.default}`
  return {
    name,
    schema: described(isRepeatable ? list(one) : one, description, byDefault, file && aboutFile[file]),
    isRequired,
    place: { kind: 'option', flag: long, file },
    words: file && typeof node.default === 'string' ? coverWords : [],
  }
}

/** The option whose default is a word takes these instead of a file. */
const coverWords = ['auto', 'none']

const isFile = (type: string): boolean => type === 'file' || type === 'folder'
const aboutFile = {
  read: 'a path in the folder that the server may read',
  written: 'a path of a new file in the folder that the server may read',
} as const

const schemaOfType = (type: string, choices: readonly string[] | null): ValueSchema =>
  choices ? { type: 'string', enum: choices } : (byType[type] ?? text)

function described(schema: ValueSchema, ...about: readonly (string | undefined)[]): ValueSchema {
  const description = about.filter(Boolean).join('; ')
  return description === '' ? schema : { ...schema, description }
}

/** A name of the command line as agents write it: `next_token`. */
export const nameOf = (words: string): string => words.replace(/[ -]/g, '_')

/** The JSON schema of all that a tool takes. */
export const schemaOf = (properties: readonly Property[]): InputSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
  required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  additionalProperties: false,
})
