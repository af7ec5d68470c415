import type { Group } from './endpoint.ts'
import { type Contract, contract } from './index.ts'
import { components } from './openapi-components.ts'
import { errorsOf, namedErrors } from './openapi-errors.ts'
import { jsonSchemas, type Operation } from './openapi-schemas.ts'
import { parameterLocations } from './parameters.ts'

type Json = Record<string, unknown>
interface ObjectSchema {
  readonly properties: Record<string, Json>
  readonly required?: readonly string[]
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

/**
 * The service's OpenAPI 3.1 document, read from the contract, as strict as the service's own document. Answers may have
 * further fields, and further values where not all are documented (`x-extensible-enum` lists those that are).
 */
export function openApiDocument(): object {
  const operations: Operation[] = Object.entries<Group>(contract).flatMap(([tag, group]) =>
    Object.entries(group).map(([name, endpoint]) => ({ id: `${tag}.${name}`, tag, endpoint })),
  )
  const schemas = jsonSchemas(operations)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const { method, path } = operation.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation, schemas) }
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
      responses: namedErrors(),
      schemas: Object.fromEntries(Object.keys(components).map(name => [name, schemas[name]])),
    },
  }
}

function operationObject({ id, tag, endpoint }: Operation, schemas: Record<string, Json>): Json {
  const input = schemas[`${id}.input`] as unknown as ObjectSchema
  const { path, query, body } = parameterLocations(endpoint)
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
function only({ properties, required = [], ...schema }: ObjectSchema, names: readonly string[]): Json {
  const needed = required.filter(name => names.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(names.map(name => [name, properties[name]])),
    ...(needed.length > 0 && { required: needed }),
  }
}

const jsonOf = (schema: Json | undefined): Json => ({ 'application/json': { schema } })
