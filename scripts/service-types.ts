import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint, Group } from '../src/service/contract/endpoint.ts'
import { contract } from '../src/service/contract/index.ts'
import { loadZod } from '../src/service/contract/load-zod.ts'
import { components } from '../src/service/contract/openapi-components.ts'
import { root } from './program.ts'

/** The parts of a schema's definition that decide its type. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
  readonly catchall?: z.ZodMiniType
  readonly innerType?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly valueType?: z.ZodMiniType
  readonly options?: readonly z.ZodMiniType[]
  readonly entries?: Readonly<Record<string, string>>
  readonly getter?: () => z.ZodMiniType
}

await loadZod()
const { ErrorEnvelope: _, ErrorContext: __, ErrorDetail: ___, ...named } = components
/** The resources by their schemas, which are made once each. */
const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema(), name]))

/** What the contract says of its resources, without the sections of the service's document. */
const folder = join(import.meta.dirname, '../src/service/contract')
const docs = new Map(
  readdirSync(folder).flatMap(file =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /(\/\*\* [^\n]+ \*\/\n)export const ([A-Z]\w+) = late/g,
      ),
    ].map(
      ([, doc = '', name = '']) =>
        [name === 'SuccessContext' ? 'Context' : name, doc.replace(/ \(§[\d.]+\)/, '')] as const,
    ),
  ),
)

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition

/** More values than these are not worth a union that anything may be added to. */
const mostValues = 12

function typeOf(schema: z.ZodMiniType, fields = readFieldsOf): string {
  return names.get(schema) ?? shapeOf(schema, fields)
}

function shapeOf(schema: z.ZodMiniType, fields: typeof fieldsOf): string {
  const { type, shape, catchall, innerType, element, valueType, options, entries, getter } =
    definitionOf(schema)
  switch (type) {
    case 'string':
      return openValues(schema)
    case 'number':
    case 'boolean':
    case 'unknown':
      return type
    case 'int':
      return 'number'
    case 'enum':
      return Object.values(entries ?? {})
        .map(value => `'${value}'`)
        .join(' | ')
    case 'optional':
      return `${typeOf(innerType as z.ZodMiniType, fields)} | undefined`
    case 'nullable':
      return `${typeOf(innerType as z.ZodMiniType, fields)} | null`
    case 'array':
      return `(${typeOf(element as z.ZodMiniType, fields)})[]`
    case 'record':
      return `Record<string, ${typeOf(valueType as z.ZodMiniType, fields)}>`
    case 'union':
      return (options ?? []).map(each => typeOf(each, fields)).join(' | ')
    case 'lazy':
      return typeOf((getter as () => z.ZodMiniType)(), fields)
    case 'object':
      return `{\n${fields(shape ?? {}).join('\n')}${catchall && definitionOf(catchall).type === 'unknown' ? '\n[further: string]: unknown' : ''}\n}`
    default:
      throw new Error(`a schema of the kind ${type} has no type here`)
  }
}

/** A text of which the service's document shows some values. */
function openValues(schema: z.ZodMiniType): string {
  const meta = z.globalRegistry.get(schema) as Record<string, unknown> | undefined
  const values = (meta?.['x-extensible-enum'] ?? meta?.['enum']) as string[] | undefined
  if (values === undefined || values.length > mostValues) return 'string'
  return `${values.map(value => `'${value}'`).join(' | ')} | (string & {})`
}

/** What is sent. */
const fieldsOf = (shape: Readonly<Record<string, z.ZodMiniType>>): string[] =>
  Object.entries(shape).map(
    ([name, schema]) =>
      `${name}${definitionOf(schema).type === 'optional' ? '?' : ''}: ${typeOf(schema, fieldsOf)}`,
  )

/** What is read, where every field is there. */
function readFieldsOf(shape: Readonly<Record<string, z.ZodMiniType>>): string[] {
  const bare = (schema: z.ZodMiniType): z.ZodMiniType => {
    const { innerType } = definitionOf(schema)
    return innerType ? bare(innerType) : schema
  }
  return Object.entries(shape).map(([name, schema]) => {
    const { type } = definitionOf(schema)
    const isNever = type === 'array' || definitionOf(bare(schema)).type === 'unknown'
    return `${name}: ${typeOf(bare(schema))}${isNever ? '' : ' | null'}`
  })
}

/** `metadata-keys` as the name of a property. */
export const propertyOf = (group: string): string =>
  group.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function methodOf(name: string, { method, path, summary, input, output }: Endpoint): string {
  const isAnyNeeded = Object.values(input.shape).some(
    schema => definitionOf(schema as z.ZodMiniType).type !== 'optional',
  )
  const takes = Object.keys(input.shape).length === 0 ? 'Record<string, never>' : shapeOf(input, fieldsOf)
  return `/** ${summary}: \`${method} ${path}\`. */\n${name}(input${isAnyNeeded ? '' : '?'}: ${takes}, options?: CallOptions): Promise<${shapeOf(output, readFieldsOf)}>`
}

/** The items of a paged list one after the other. Only the loop over them knows of pages. */
function iteratorOf({ input, output }: Endpoint): string {
  const { limit: _, nextToken: __, ...filters } = input.shape as Readonly<Record<string, z.ZodMiniType>>
  const takes =
    Object.keys(filters).length === 0 ? 'Record<string, never>' : `{\n${fieldsOf(filters).join('\n')}\n}`
  const item = typeOf(definitionOf(output.shape['items'] as z.ZodMiniType).element as z.ZodMiniType)
  return `/** The items of all pages, which are requested as they are read. */\neach(filters?: ${takes}, options?: ListOptions): AsyncGenerator<${item}, void, undefined>`
}

/**
 * The module that stands for src/library/service.ts in the types of the package: the resources and requests of the service, as
 * the contract declares them, without a package that users would need.
 */
export function serviceTypes(): string {
  const resources = [...names].map(
    ([schema, name]) =>
      `${docs.get(name) ?? ''}export interface ${name} ${shapeOf(schema as z.ZodMiniType, readFieldsOf)}`,
  )
  const groups = Object.entries<Group>(contract).map(
    ([group, endpoints]) =>
      `readonly ${propertyOf(group)}: {\n${Object.entries(endpoints)
        .flatMap(([name, endpoint]: [string, Endpoint]) => [
          methodOf(name, endpoint),
          ...(endpoint.isPaged ? [iteratorOf(endpoint)] : []),
        ])
        .join('\n')}\n}`,
  )
  return formatted(`import type { CallOptions, ListOptions } from './call-options.ts'

${resources.join('\n\n')}

/** The requests of the service by its groups. Each resolves with what the service answered: what it left out, or sent as something
 * else, is null. */
export interface Service {
${groups.join('\n')}
}
`)
}

const formatted = (text: string): string =>
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'format',
      '--stdin-file-path=src/library/service.ts',
    ],
    { input: text, encoding: 'utf8', cwd: root },
  )
