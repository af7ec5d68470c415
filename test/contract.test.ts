import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  DailyActivity,
  PopularPublication,
  PublicationAnalytics,
  ScopeAnalytics,
} from '../src/contract/analytics.ts'
import { ApiKey } from '../src/contract/apikeys.ts'
import { Asset, AssetUpload } from '../src/contract/assets.ts'
import { Domain } from '../src/contract/domains.ts'
import { type Endpoint, type Group, placesOf } from '../src/contract/endpoint.ts'
import { Authentication, Context, ErrorDetail, ErrorEnvelope, errorCodes } from '../src/contract/envelope.ts'
import { fieldsOf } from '../src/contract/fields.ts'
import { contract } from '../src/contract/index.ts'
import { MetadataKey } from '../src/contract/metadata-keys.ts'
import {
  Edition,
  EditionMetadata,
  NavigationItem,
  Publication,
  PublicationSummary,
  terminalUploadStatuses,
  uploadStatuses,
} from '../src/contract/publication.ts'
import { ReaderInstance, ReaderInstanceSummary } from '../src/contract/reader-instances.ts'
import { ReaderUser, ReaderUserSummary } from '../src/contract/reader-users.ts'
import { UploadSession } from '../src/contract/uploads.ts'
import { Billing, User } from '../src/contract/user.ts'
import { codeNames, document, rowsOf, section } from './support/service-document.ts'

/** Method, path, success status and documented error statuses of every endpoint (service-api.md, section 4). */
const endpoints = `
GET /v1/apikeys 200 400 401 403 404 405
GET /v1/apikeys/{id} 200 400 401 403 404 405
PATCH /v1/apikeys/{id} 200 400 401 403 404 405
DELETE /v1/apikeys/{id} 200 400 401 403 404 405
GET /v1/resources/assets 200 401 403 405
POST /v1/resources/assets 201 400 401 403 404 405
PATCH /v1/resources/assets/{id} 200 400 401 403 404 405
DELETE /v1/resources/assets/{id} 200 400 401 403 404 405
GET /v1/resources/metadata-keys 200 400 401 403 405 500
POST /v1/resources/metadata-keys 201 400 401 403 405
PATCH /v1/resources/metadata-keys/{id} 200 400 401 403 404 405
DELETE /v1/resources/metadata-keys/{id} 200 400 401 403 404 405
GET /v1/publications 200 400 401 403 405
POST /v1/publication-uploads 201 400 401 403 405 500
POST /v1/publications 201 400 401 403 405 500
GET /v1/publications/{id} 200 400 401 403 404 405
PATCH /v1/publications/{id} 200 400 401 403 405 500
DELETE /v1/publications/{id} 200 400 401 403 404 405
GET /v1/publications/{id}/editions 200 400 401 403 405
POST /v1/publications/{id}/editions 201 400 401 403 405 500
GET /v1/publications/{id}/editions/{editionid} 200
GET /v1/domains 200 400 401 403 404 405 500
GET /v1/domains/{id} 200 400 401 403 404 405 500
POST /v1/domains 201 400 401 403 404 405 500
PATCH /v1/domains/{id} 200 400 401 403 404 405 500
DELETE /v1/domains/{id} 200 400 401 403 404 405 500
GET /v1/reader-instances 200 400 401 403 404 405
GET /v1/reader-instances/{id} 200 400 401 403 404 405
DELETE /v1/reader-instances/{id} 200 400 401 403 404 405
POST /v1/reader-instances/{id}/copy 201 400 401 403 404 405
GET /v1/reader-users 200 400 401 403 405
GET /v1/reader-users/{id} 200 400 401 403 404 405
GET /v1/users 200 400 401 403 405
DELETE /v1/users 200 400 401 403 405 500
GET /v1/analytics 200 400 401 403 404 405 500
GET /v1/analytics/publications/popular 200 400 401 403 404 405 500
GET /v1/analytics/publications/{id} 200 400 401 403 404 405 500
GET /v1/analytics/publications/{id}/activity 200 400 401 403 404 405 500
`

const declared = Object.values<Group>(contract).flatMap(group => Object.values(group))
const lineOf = ({ method, path, status, errors }: Endpoint) => [method, path, status, ...errors].join(' ')
const lines = endpoints.trim().split('\n')

describe('the contract', () => {
  test('declares the 38 endpoints of the service, each once', () => {
    expect(lines).toHaveLength(38)
    expect(declared.map(lineOf).sort()).toEqual([...lines].sort())
  })

  test.each(declared.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s takes each parameter of its path, and a body only where there is one',
    (_, endpoint) => {
      const { path, query, body } = placesOf(endpoint)
      expect(Object.keys(endpoint.input.shape).sort()).toEqual([...path, ...query, ...body].sort())
      if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expect(body).toEqual([])
    },
  )

  test.each(declared.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s answers with a context',
    (_, { output }) => expect(output.shape['context']).toBe(Context),
  )
})

test('only these inputs are required beside those of the path', () => {
  const required = declared.flatMap(endpoint => {
    const { query, body } = placesOf(endpoint)
    const names = [...query, ...body].filter(
      name => !endpoint.input.shape[name]?.safeParse(undefined).success,
    )
    return names.length > 0 ? [[`${endpoint.method} ${endpoint.path}`, names.join(' ')]] : []
  })
  expect(Object.fromEntries(required)).toEqual({
    'POST /v1/resources/assets': 'assets',
    'PATCH /v1/resources/assets/{id}': 'filename',
    'POST /v1/resources/metadata-keys': 'key',
    'PATCH /v1/resources/metadata-keys/{id}': 'status',
    'POST /v1/publication-uploads': 'uploadRequestId publicationFilename publicationType',
    'POST /v1/publications': 'uploadRequestId publicationFilename edition',
    'POST /v1/publications/{id}/editions': 'uploadRequestId publicationFilename edition',
    'POST /v1/domains': 'domain',
    'GET /v1/analytics/publications/{id}/activity': 'from to',
  })
})

describe('what the service answers is read tolerantly', () => {
  const resources = {
    ApiKey,
    Asset,
    Domain,
    Edition,
    MetadataKey,
    Publication,
    PublicationSummary,
    ReaderInstance,
    ReaderUser,
    UploadSession,
  }
  test.each(Object.entries(resources))('%s may lack every field, or hold null in each', (_, schema) => {
    expect(schema.safeParse({}).success).toBe(true)
    const nulls = Object.fromEntries(Object.keys(schema.shape).map(name => [name, null]))
    expect(schema.safeParse(nulls).success).toBe(true)
  })

  test('a value that no enumeration knows yet is taken', () => {
    expect(Edition.safeParse({ uploadStatus: 'upload_paused', titleSource: 'oracle' }).success).toBe(true)
    expect(ErrorEnvelope.shape.error.safeParse('TEAPOT_ERROR').success).toBe(true)
  })

  test('a count that travels as text stays text', () => {
    expect(EditionMetadata.parse({ pageCount: '0061', custom: 1 })).toEqual({ pageCount: '0061', custom: 1 })
    expect(EditionMetadata.safeParse({ pageCount: 61 }).success).toBe(false)
  })
})

describe('what the service is sent is checked strictly', () => {
  const creation = {
    uploadRequestId: '4b0e4b6c-6a0f-4f4e-9f5e-0a4c8a0a6f11',
    publicationFilename: 'book.epub',
    edition: { type: 'EPUB' },
  }
  const issueOf = (input: object) => {
    const issue = contract.publications.create.input.safeParse({ ...creation, ...input }).error?.issues[0]
    return issue && [issue.path, issue.code]
  }

  test('a creation with nothing wrong passes', () => expect(issueOf({})).toBeUndefined())
  test.each([
    [{ edition: { type: 'EPUB', title: 1 } }, ['edition', 'title'], 'invalid_type'],
    [{ collectionIds: ['a', null] }, ['collectionIds', 1], 'invalid_type'],
    [{ edition: { type: 'DOCX' } }, ['edition', 'type'], 'invalid_value'],
    [{ uploadRequestId: 'one' }, ['uploadRequestId'], 'invalid_format'],
    [{ titel: 'x' }, [], 'unrecognized_keys'],
    [{ language: null }, ['language'], 'invalid_type'],
  ])('%j is refused at the field, with the kind of the issue', (input, path, code) => {
    expect(issueOf(input)).toEqual([path, code])
  })
})

describe.skipIf(document === undefined)("the service's document, where it lies beside the project,", () => {
  const tables = rowsOf(section('4'))
  const errorStatuses = (cell: string) => cell.match(/\d{3}/g) ?? []

  test('lists the very endpoints of the contract', () => {
    const listed = tables.map(([method, path, , success, errors]) =>
      [method, codeOf(path), success?.slice(0, 3), ...errorStatuses(errors ?? '')].join(' '),
    )
    expect(listed).toEqual(lines)
  })

  test.each(declared.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'names every input of %s and no other',
    (_, endpoint) => {
      const row = tables.find(
        ([method, path]) => method === endpoint.method && codeOf(path) === endpoint.path,
      )
      expect(row).toBeDefined()
      const likeAnother = tables.find(
        ([method, path]) =>
          method === endpoint.method && row?.[2]?.includes(`same body as ${method} ${path}`),
      )
      const { path, query, body } = placesOf(endpoint)
      const words = wordsOf(endpoint.input)
      const named = codeNames(likeAnother?.[2] ?? row?.[2] ?? '')
      for (const name of named) expect(words).toContain(name)
      for (const name of [...query, ...body]) expect(named).toContain(name)
      for (const name of path) expect(row?.[1]).toContain(`{${name}}`)
    },
  )

  // The second column, where there is one, is the table's place within the section.
  test.each([
    ['2.1', 0, Context],
    ['2.1', 1, Authentication],
    ['2.2', 0, User],
    ['2.3', 0, Billing],
    ['2.4', 0, ApiKey],
    ['2.5', 0, Asset],
    ['2.6', 0, MetadataKey],
    ['2.7', 0, Publication],
    ['2.7', 1, PublicationSummary],
    ['2.8', 0, Edition],
    ['7', 0, ErrorEnvelope],
  ] as [string, number, z.ZodObject][])(
    'gives in section %s, table %i, the fields of the schema',
    (number, place, schema) => {
      const table =
        section(number)
          .split(/^\| Field .*$/m)
          [place + 1]?.split('\n\n')[0] ?? ''
      expect(Object.keys(schema.shape).sort()).toEqual(
        rowsOf(table)
          .map(([field]) => codeOf(field))
          .sort(),
      )
    },
  )

  test.each([
    ['2.5', 'Asset upload descriptor', AssetUpload, ['result', 'single', 'Content-Type']],
    ['2.8', '`metadata`:', EditionMetadata, ['metadata', 'AUTO', 'REFLOWABLE']],
    ['2.8', '`navigationData[]`:', NavigationItem, ['TOC']],
    ['2.9', '`result` of', UploadSession, ['result', 'single', 'Content-Type', 'coverFilename']],
    ['2.10', '`id`', Domain, []],
    ['2.11', 'Summary', ReaderInstanceSummary, []],
    ['2.12', 'List element', ReaderUserSummary, []],
    ['7', '| `details`', ErrorDetail, ['details', 'ZOD_ERROR']],
  ] as [string, string, z.ZodObject, string[]][])(
    'gives in section %s, at "%s", the fields of the schema',
    (number, start, schema, others) => {
      const line =
        section(number)
          .split('\n')
          .find(text => text.startsWith(start)) ?? ''
      const named = new Set(codeNames(line).filter(name => !others.includes(name)))
      expect(namesWithin(schema)).toEqual([...named].sort())
    },
  )

  test.each([
    ['2.11', ReaderInstance, []],
    ['2.12', ReaderUser, ['collectionIds', 'createdAtIso']],
  ] as [string, z.ZodObject, string[]][])(
    'names in section %s every field of the full form',
    (number, schema, others) => {
      const named = section(number).match(/\b[a-z][A-Za-z]+\b/g) ?? []
      for (const name of namesWithin(schema)) if (!others.includes(name)) expect(named).toContain(name)
      for (const name of codeNames(section(number))) {
        if (!['plan', 'securityLevel', 'authType'].includes(name)) expect(namesWithin(schema)).toContain(name)
      }
    },
  )

  test('names in section 2.13 every field of the analytics', () => {
    const named = section('2.13').match(/\b[a-z][A-Za-z]+\b/g) ?? []
    for (const schema of [ScopeAnalytics, PopularPublication, PublicationAnalytics, DailyActivity]) {
      for (const name of namesWithin(schema)) expect(named).toContain(name)
    }
  })

  test('lists the states of an upload, and which of them are terminal', () => {
    const states = section('3.1')
      .split('\n')
      .flatMap(line => [...line.matchAll(/^\| `(\w+)` \|.*\| (Yes|No) \|$/g)])
    expect(states.map(([, state]) => state)).toEqual([...uploadStatuses])
    expect(states.filter(([, , terminal]) => terminal === 'Yes').map(([, state]) => state)).toEqual([
      ...terminalUploadStatuses,
    ])
  })

  test('lists the error codes', () => {
    const row = section('7')
      .split('\n')
      .find(line => line.startsWith('| 400 |'))
    expect(codeNames(row ?? '').filter(name => name !== 'details')).toEqual([...errorCodes])
  })
})

const codeOf = (cell: string | undefined): string => cell?.replaceAll('`', '') ?? ''

/** The names of all fields of a schema and of what it holds, without those of whole resources inside. */
const namesWithin = (schema: z.ZodObject): string[] =>
  [...new Set([...fieldsOf(schema)].map(name => name.split('.').at(-1) as string))]
    .filter(name => name !== '*')
    .sort()

/** Every field name and enumerated value of an input. */
function wordsOf(input: z.ZodType): string[] {
  const words: string[] = []
  JSON.stringify(z.toJSONSchema(input), (key, value) => {
    if (key === 'enum') words.push(...value)
    if (key === 'properties') words.push(...Object.keys(value))
    return value
  })
  return words
}
