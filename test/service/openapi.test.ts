import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint, Group } from '../../src/service/contract/endpoint.ts'
import { contract } from '../../src/service/contract/index.ts'
import { openApiDocument } from '../../src/service/contract/openapi.ts'
import { pathParameters } from '../../src/service/contract/parameters.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  style?: string
  explode?: boolean
  schema: Record<string, unknown>
}
interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
}
type Content = Record<string, { schema: Schema }>
interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, unknown>
  content?: Content
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response>
}
interface Document {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string; description: string }[]
  security: unknown
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    securitySchemes: Record<string, unknown>
  }
}

// As it is printed: whatever JSON cannot hold is gone.
const document = JSON.parse(JSON.stringify(openApiDocument())) as Document

const endpoints = Object.entries<Group>(contract).flatMap(([tag, group]) =>
  Object.entries(group).map(([name, endpoint]) => ({ id: `${tag}.${name}`, tag, endpoint })),
)
const operations = Object.values(document.paths).flatMap(path => Object.values(path))
const operationOf = ({ method, path }: Endpoint): Operation | undefined =>
  document.paths[path]?.[method.toLowerCase()]
const bodyOf = (operation: Operation | undefined) =>
  operation?.requestBody?.content['application/json']?.schema

/** What a `$ref` points to, undefined where nothing is there. */
const resolve = (ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)

/** Every object within a value, itself included. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

const anyCode = [
  'QL_ERROR',
  'ZOD_ERROR',
  'DB_ERROR',
  'UNKNOWN_ERROR',
  'INTERNAL_ERROR',
  'UNSUPPORTED_METHOD',
  'INVALID_REQUEST',
  'EMPTY_RESPONSE',
  'AUTHENTICATION_ERROR',
  'ACCOUNT_RESTRICTED',
  'PROVIDER_ERROR',
]
/** The codes of each error status; of an undocumented status any may come. */
const codesOf: Record<string, string[]> = {
  400: anyCode,
  401: ['AUTHENTICATION_ERROR'],
  403: ['AUTHENTICATION_ERROR', 'ACCOUNT_RESTRICTED'],
  404: ['EMPTY_RESPONSE'],
  405: ['UNSUPPORTED_METHOD'],
  500: ['DB_ERROR', 'UNKNOWN_ERROR', 'INTERNAL_ERROR', 'INVALID_REQUEST', 'PROVIDER_ERROR'],
}

describe('the OpenAPI document', () => {
  test('is of OpenAPI 3.1 and of the contract 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    expect(document.security).toEqual([{ bearerAuth: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      bearerAuth: { type: 'http', scheme: 'bearer' },
    })
  })

  test('has every endpoint, and an operation of its own name for each', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      endpoints.map(({ id }) => id).sort(),
    )
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(38)
  })

  test('has every reference resolve', () => {
    const refs = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect(refs.length).toBeGreaterThan(200)
    for (const ref of new Set(refs)) expect(resolve(ref), ref).toBeDefined()
  })

  test('uses every schema and response that it names', () => {
    const refs = new Set([...objectsIn(document)].map(({ $ref }) => $ref))
    for (const kind of ['schemas', 'responses'] as const) {
      for (const name of Object.keys(document.components[kind]))
        expect(refs).toContain(`#/components/${kind}/${name}`)
    }
  })

  test('bears no mark of how it was made', () => {
    for (const object of objectsIn(document)) {
      for (const mark of ['$id', '$schema', '$defs', '~standard']) expect(object).not.toHaveProperty([mark])
    }
  })

  test('describes every group', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(Object.keys(contract))
    for (const { description } of document.tags) expect(description).toMatch(/\.$/)
  })
})

describe.each(endpoints)('$id', ({ tag, endpoint }) => {
  const operation = operationOf(endpoint)
  const parameters = operation?.parameters ?? []
  const body = bodyOf(operation)

  test('carries its summary and group', () => {
    expect(operation).toMatchObject({ summary: endpoint.summary, tags: [tag] })
  })

  test('takes every input exactly once, required where the contract requires it', () => {
    const taken = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})]
    expect(taken.sort()).toEqual(Object.keys(endpoint.input.shape).sort())
    const required = [
      ...parameters.filter(parameter => parameter.required).map(({ name }) => name),
      ...(body?.required ?? []),
    ]
    const needed = Object.keys(endpoint.input.shape).filter(
      name => !z.safeParse(endpoint.input.shape[name] as z.ZodMiniType, undefined).success,
    )
    expect(required.sort()).toEqual(needed.sort())
    expect(parameters.filter(place => place.in === 'path').map(({ name }) => name)).toEqual(
      pathParameters(endpoint.path),
    )
  })

  test('repeats the name of a list parameter', () => {
    for (const { schema, style, explode } of parameters) {
      if (schema['type'] === 'array') expect({ style, explode }).toEqual({ style: 'form', explode: true })
      else expect({ style, explode }).toEqual({ style: undefined, explode: undefined })
    }
  })

  test('has a body that is closed, or none', () => {
    if (endpoint.method === 'GET' || endpoint.method === 'DELETE')
      expect(operation).not.toHaveProperty('requestBody')
    else if (body) expect(body.additionalProperties).toBe(false)
  })

  test('answers with an open object', () => {
    const success = operation?.responses[endpoint.status]?.content?.['application/json']?.schema
    expect(success).toMatchObject({ type: 'object', required: expect.arrayContaining(['context']) })
    expect(Object.keys(success?.properties ?? {}).sort()).toEqual(Object.keys(endpoint.output.shape).sort())
    for (const { additionalProperties } of objectsIn(success)) expect(additionalProperties).not.toBe(false)
  })

  test('has the documented errors, each an error envelope', () => {
    const { [endpoint.status]: _, ...errors } = operation?.responses ?? {}
    const documented = endpoint.errors.length > 0 ? endpoint.errors.map(String) : ['4XX']
    expect(Object.keys(errors)).toEqual(documented)
    for (const [status, response] of Object.entries(errors)) {
      const { headers, content } = (response.$ref ? resolve(response.$ref) : response) as Response
      const envelope = { $ref: '#/components/schemas/ErrorEnvelope' }
      const codes = codesOf[status]
      expect(content?.['application/json']?.schema).toMatchObject(
        codes
          ? { allOf: [envelope, { properties: { error: { type: 'string', enum: codes } } }] }
          : { $ref: envelope.$ref },
      )
      if (status === '405') expect(headers).toHaveProperty('Allow')
    }
  })
})

describe('a schema of the document', () => {
  const { schemas } = document.components
  test.each(Object.keys(schemas))('%s lets the service add fields', name => {
    for (const { additionalProperties } of objectsIn(schemas[name]))
      expect(additionalProperties).not.toBe(false)
  })

  test('names the resources inside a resource instead of repeating them', () => {
    expect(schemas['Publication']?.properties?.['editions']).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Edition' },
    })
  })

  test('lists the documented values, and allows others where the document does not show all', () => {
    const { type, titleSource } = schemas['Edition']?.properties ?? {}
    expect(type).toEqual({ type: 'string', enum: ['EPUB', 'PDF', 'Audio'] })
    expect(titleSource).toEqual({
      anyOf: [{ type: 'string', 'x-extensible-enum': ['user'] }, { type: 'null' }],
    })
  })

  test('calls every timestamp a date-time', () => {
    const times = [...objectsIn(document.components.schemas)].flatMap(({ properties }) =>
      Object.entries((properties ?? {}) as Record<string, Schema>).filter(([name]) =>
        /Iso$|^(created|expires|revoked|lastUsed|lastUpdated|editionCreated|lastSessionStartedAt)$/.test(
          name,
        ),
      ),
    )
    expect(times.length).toBeGreaterThan(30)
    for (const [name, schema] of times)
      expect({ name, text: JSON.stringify(schema) }).toMatchObject({
        name,
        text: expect.stringContaining('"format":"date-time"'),
      })
  })

  test('requires what every answer has, and nothing that the document calls optional', () => {
    const required = (name: string) => [...(schemas[name]?.required ?? [])].sort()
    expect(required('User')).toEqual(['billing', 'email', 'id', 'role', 'status', 'sub'])
    expect(required('Context')).toEqual(['authentication', 'method', 'path', 'requestId'])
    expect(required('ErrorContext')).toEqual(['method', 'path', 'requestId'])
    expect(required('ErrorEnvelope')).toEqual(['context', 'error', 'message'])
    expect(required('Publication')).toEqual(['editions', 'id', 'isForInternalReadingInstance', 'sampleItems'])
    expect(required('ScopeAnalytics')).toEqual(['period', 'totals'])
    expect(required('UploadSession')).not.toContain('cover')
    expect(required('MetadataKey')).not.toContain('label')
    expect(required('EditionMetadata')).toEqual([])
    for (const { properties, required: names } of objectsIn(schemas['ScopeAnalytics']?.properties)) {
      if (properties) expect(names).toEqual(Object.keys(properties))
    }
  })
})
