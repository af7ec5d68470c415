import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ApiKey } from '../../src/service/contract/apikeys.ts'
import { Asset } from '../../src/service/contract/assets.ts'
import { Domain } from '../../src/service/contract/domains.ts'
import type { Endpoint, Group } from '../../src/service/contract/endpoint.ts'
import { ErrorEnvelope, SuccessContext } from '../../src/service/contract/envelope.ts'
import { contract } from '../../src/service/contract/index.ts'
import { MetadataKey } from '../../src/service/contract/metadata-keys.ts'
import { parameterLocations } from '../../src/service/contract/parameters.ts'
import {
  Edition,
  EditionMetadata,
  Publication,
  PublicationSummary,
} from '../../src/service/contract/publication.ts'
import { ReaderInstance } from '../../src/service/contract/reader-instances.ts'
import { ReaderUser } from '../../src/service/contract/reader-users.ts'
import { UploadSession } from '../../src/service/contract/uploads.ts'

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
      const { path, query, body } = parameterLocations(endpoint)
      expect(Object.keys(endpoint.input.shape).sort()).toEqual([...path, ...query, ...body].sort())
      if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expect(body).toEqual([])
    },
  )

  test.each(declared.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s answers with a context',
    (_, { output }) =>
      expect((output.shape['context'] as z.ZodMiniLazy)._zod.innerType).toBe(SuccessContext()),
  )
})

test('only these inputs are required beside those of the path', () => {
  const required = declared.flatMap(endpoint => {
    const { query, body } = parameterLocations(endpoint)
    const names = [...query, ...body].filter(
      name => !z.safeParse(endpoint.input.shape[name] as z.ZodMiniType, undefined).success,
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
  test.each(Object.entries(resources))('%s may lack every field, or hold null in each', (_, late) => {
    const schema: z.ZodMiniObject = late()
    expect(schema.safeParse({}).success).toBe(true)
    const nulls = Object.fromEntries(Object.keys(schema.shape).map(name => [name, null]))
    expect(schema.safeParse(nulls).success).toBe(true)
  })

  test('a value that no enumeration knows yet is taken', () => {
    expect(Edition().safeParse({ uploadStatus: 'upload_paused', titleSource: 'oracle' }).success).toBe(true)
    expect(ErrorEnvelope().shape.error.safeParse('TEAPOT_ERROR').success).toBe(true)
  })

  test('a count that travels as text stays text', () => {
    expect(EditionMetadata().parse({ pageCount: '0061', custom: 1 })).toEqual({
      pageCount: '0061',
      custom: 1,
    })
    expect(EditionMetadata().safeParse({ pageCount: 61 }).success).toBe(false)
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
