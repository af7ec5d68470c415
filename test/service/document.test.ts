import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  DailyActivity,
  PopularPublication,
  PublicationAnalytics,
  ScopeAnalytics,
} from '../../src/service/contract/analytics.ts'
import { ApiKey } from '../../src/service/contract/apikeys.ts'
import { Asset, AssetUpload } from '../../src/service/contract/assets.ts'
import { Domain } from '../../src/service/contract/domains.ts'
import type { Endpoint, Group } from '../../src/service/contract/endpoint.ts'
import {
  Authentication,
  ErrorDetail,
  ErrorEnvelope,
  errorCodes,
  SuccessContext,
} from '../../src/service/contract/envelope.ts'
import { fieldsOf } from '../../src/service/contract/fields.ts'
import { contract } from '../../src/service/contract/index.ts'
import { MetadataKey } from '../../src/service/contract/metadata-keys.ts'
import { parameterLocations } from '../../src/service/contract/parameters.ts'
import {
  Edition,
  EditionMetadata,
  NavigationItem,
  Publication,
  PublicationSummary,
  terminalUploadStatuses,
  uploadStatuses,
} from '../../src/service/contract/publication.ts'
import { ReaderInstance, ReaderInstanceSummary } from '../../src/service/contract/reader-instances.ts'
import { ReaderUser, ReaderUserSummary } from '../../src/service/contract/reader-users.ts'
import { UploadSession } from '../../src/service/contract/uploads.ts'
import { Billing, User } from '../../src/service/contract/user.ts'
import { codeNames, document, rowsOf, section } from '../support/servers/service-document.ts'

const declared = Object.values<Group>(contract).flatMap(group => Object.values(group))
const lineOf = ({ method, path, status, errors }: Endpoint) => [method, path, status, ...errors].join(' ')

describe.skipIf(document === undefined)("the service's document, where it lies beside the project,", () => {
  const tables = rowsOf(section('4'))
  const errorStatuses = (cell: string) => cell.match(/\d{3}/g) ?? []

  test('lists the very endpoints of the contract', () => {
    const listed = tables.map(([method, path, , success, errors]) =>
      [method, codeOf(path), success?.slice(0, 3), ...errorStatuses(errors ?? '')].join(' '),
    )
    expect(listed.sort()).toEqual(declared.map(lineOf).sort())
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
      const { path, query, body } = parameterLocations(endpoint)
      const words = wordsOf(endpoint.input)
      const named = codeNames(likeAnother?.[2] ?? row?.[2] ?? '')
      for (const name of named) expect(words).toContain(name)
      for (const name of [...query, ...body]) expect(named).toContain(name)
      for (const name of path) expect(row?.[1]).toContain(`{${name}}`)
    },
  )

  // The second column, where there is one, is the table's place within the section.
  test.each([
    ['2.1', 0, SuccessContext],
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
  ] as [string, number, () => z.ZodMiniObject][])(
    'gives in section %s, table %i, the fields of the schema',
    (number, place, schema) => {
      const table =
        section(number)
          .split(/^\| Field .*$/m)
          [place + 1]?.split('\n\n')[0] ?? ''
      expect(Object.keys(schema().shape).sort()).toEqual(
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
  ] as [string, string, () => z.ZodMiniObject, string[]][])(
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
  ] as [string, () => z.ZodMiniObject, string[]][])(
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
const namesWithin = (schema: () => z.ZodMiniObject): string[] =>
  [...new Set([...fieldsOf(schema)].map(name => name.split('.').at(-1) as string))]
    .filter(name => name !== '*')
    .sort()

/** Every field name and enumerated value of an input. */
function wordsOf(input: z.ZodMiniType): string[] {
  const words: string[] = []
  JSON.stringify(z.toJSONSchema(input), (key, value) => {
    if (key === 'enum') words.push(...value)
    if (key === 'properties') words.push(...Object.keys(value))
    return value
  })
  return words
}
