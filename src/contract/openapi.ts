import * as z from 'zod'
import { type Endpoint, type ErrorStatus, type Group, placesOf } from './endpoint.ts'
import { type Contract, contract } from './index.ts'
import { components } from './openapi-components.ts'

type Json = Record<string, unknown>
interface ObjectSchema {
  readonly properties: Record<string, Json>
  readonly required?: readonly string[]
}
interface Operation {
  readonly id: string
  readonly tag: string
  readonly endpoint: Endpoint
}

const tags: Record<keyof Contract, string> = {
  publications: 'Books and their current editions.',
  editions: 'The versions of a publication.',
  uploads: 'Upload sessions for files whose publication is created later.',
  assets: 'Files that reader instances use, such as fonts.',
  'metadata-keys': 'Reusable custom metadata keys: active, archived, then deleted.',
  domains: 'Web domains on which reader instances may be embedded.',
  'reader-instances': 'Reader configurations.',
  'reader-users': 'Devices and users that read publications, with their reading history.',
  users: 'The people of the organisation.',
  analytics: 'Views, reads and readers of the scope and of single publications.',
  apikeys: "The caller's own API keys.",
}

const errorResponses: Record<ErrorStatus, { name: string; description: string; headers?: Json }> = {
  400: { name: 'BadRequest', description: 'Body or parameters failed validation; `details` tell where.' },
  401: { name: 'Unauthorized', description: 'Missing or invalid credentials: `AUTHENTICATION_ERROR`.' },
  403: {
    name: 'Forbidden',
    description: 'Caller not allowed: `AUTHENTICATION_ERROR` or `ACCOUNT_RESTRICTED`.',
  },
  404: { name: 'NotFound', description: 'Requested resource not found: `EMPTY_RESPONSE`.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'Method not supported on the path: `UNSUPPORTED_METHOD`.',
    headers: { Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } } },
  },
  500: { name: 'ServerError', description: 'Server-side failure.' },
}

/**
 * The service's OpenAPI 3.1 document, read from the contract. Requests are described strictly; responses
 * tolerantly, since the service may add fields and values (`x-extensible-enum` lists the documented ones).
 */
export function openApiDocument(): object {
  const operations: Operation[] = Object.entries<Group>(contract).flatMap(([tag, group]) =>
    Object.entries(group).map(([name, endpoint]) => ({ id: `${tag}.${name}`, tag, endpoint })),
  )
  const schemas = jsonSchemas(operations)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const { method, path } = operation.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Publishing and Reader-Configuration Service API',
      version: '1.0.0',
      description:
        'Publishes digital books and configures how they are read. Files travel by HTTP PUT to the presigned `uploadUrl` of an upload session, with every entry of its `requiredHeaders`, and not with the API key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        variables: {
          baseUrl: {
            default: 'http://127.0.0.1:4010',
            description: 'Where the service answers, without /v1.',
          },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key, or a user identity token.' },
      },
      responses: Object.fromEntries(
        Object.values(errorResponses).map(({ name, ...response }) => [
          name,
          { ...response, content: errorContent },
        ]),
      ),
      schemas: Object.fromEntries(Object.keys(components).map(name => [name, schemas[name]])),
    },
  }
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } }

function describe({ id, tag, endpoint }: Operation, schemas: Record<string, Json>): Json {
  const input = schemas[`${id}.input`] as unknown as ObjectSchema
  const { path, query, body } = placesOf(endpoint)
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: input.required?.includes(name) ?? false,
    // A list repeats its name: statuses=draft&statuses=live.
    ...(input.properties[name]?.['type'] === 'array' && { style: 'form', explode: true }),
    schema: input.properties[name],
  })
  const parameters = [
    ...path.map(name => parameter(name, 'path')),
    ...query.map(name => parameter(name, 'query')),
  ]
  const success = { description: endpoint.summary, content: jsonOf(schemas[`${id}.output`]) }
  return {
    operationId: id,
    summary: endpoint.summary,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body.length > 0 && { requestBody: { required: true, content: jsonOf(only(input, body)) } }),
    responses: { [endpoint.status]: success, ...errorsOf(endpoint) },
  }
}

/** An object schema with these properties alone. */
function only({ properties, required = [], ...schema }: ObjectSchema, names: string[]): Json {
  const needed = required.filter(name => names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(names.map(name => [name, properties[name]])),
    ...(needed.length > 0 && { required: needed }),
  }
}

const jsonOf = (schema: Json | undefined): Json => ({ 'application/json': { schema } })

function errorsOf({ errors }: Endpoint): Json {
  if (errors.length === 0) {
    return {
      '4XX': { description: 'An error; which ones may come is not documented.', content: errorContent },
    }
  }
  return Object.fromEntries(
    errors.map(status => [status, { $ref: `#/components/responses/${errorResponses[status].name}` }]),
  )
}

/** Every schema of the document by its name: the components, and `<operation>.input` and `.output`. */
function jsonSchemas(operations: Operation[]): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id })
  for (const { id, endpoint } of operations) {
    // Cloned, since endpoints share some of these, and a schema has one name in a registry.
    registry.add(endpoint.input.clone(), { id: `${id}.input` })
    registry.add(endpoint.output.clone(), { id: `${id}.output` })
  }
  const { schemas } = z.toJSONSchema(registry, {
    // What is sent: for a tolerant schema this leaves further fields allowed, which the parsed side would not have.
    io: 'input',
    uri: id => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
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
