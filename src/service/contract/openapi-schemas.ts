import * as z from 'zod/mini'
import { type Endpoint, isPromised } from './endpoint.ts'
import { components } from './openapi-components.ts'

type Json = Record<string, unknown>

export interface Operation {
  readonly id: string
  readonly tag: string
  readonly endpoint: Endpoint
}

type Definition = { type: string; shape?: Record<string, object>; innerType?: z.core.$ZodType }
const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition

/** Makes the fields that the service's document has in every answer required and not null. */
function strengthen(schema: z.core.$ZodType, json: Json): void {
  const { innerType: nullable } = definitionOf(schema)
  if (!nullable || !isPromised(schema)) {
    addRequired(schema, json)
    return
  }
  const [inner] = json['anyOf'] as [Json]
  delete json['anyOf']
  Object.assign(json, inner)
  // A schema that is used in several places may be copied before it is changed itself.
  addRequired(definitionOf(nullable).innerType ?? nullable, json)
}

function addRequired(schema: z.core.$ZodType, json: Json): void {
  const { shape = {} } = definitionOf(schema)
  const names = Object.keys(shape).filter(name => isPromised(shape[name] as object))
  const required = new Set([...((json['required'] as string[] | undefined) ?? []), ...names])
  if (required.size > 0) json['required'] = [...required]
}

/** Every schema of the document by its name: the components, and `<operation>.input` and `.output`. */
export function jsonSchemas(operations: Operation[]): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(components)) registry.add(schema(), { id })
  for (const { id, endpoint } of operations) {
    // Cloned, since endpoints share some of these, and a schema has one name in a registry.
    registry.add(z.clone(endpoint.input), { id: `${id}.input` })
    registry.add(z.clone(endpoint.output), { id: `${id}.output` })
  }
  const { schemas } = z.toJSONSchema(registry, {
    // What is sent: for a tolerant schema this leaves further fields allowed, which the parsed side would not have.
    io: 'input',
    uri: id => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      strengthen(zodSchema, jsonSchema)
      // Any value or null is any value.
      if (jsonSchema.anyOf?.some(choice => Object.keys(choice).length === 0)) delete jsonSchema.anyOf
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as Json]),
  )
}
