import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApiDocument } from '../../../src/service/contract/openapi.ts'

interface Response {
  $ref?: string
  content?: unknown
}

// As it is printed: whatever JSON cannot hold is gone.
const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
}

// OpenAPI has keywords of its own around and in its schemas.
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

/** The statuses that the OpenAPI document has for an operation. */
export const documentedStatuses = (method: string, path: string): string[] =>
  Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})

/** What is wrong with a body by the OpenAPI document's own schema for the operation's answers of this status. */
export function findingsIn(method: string, path: string, status: string, body: unknown): string[] {
  const operation = `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`
  const { $ref } = document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {}
  return findingsAt(`${$ref?.slice(1) ?? operation}/content/application~1json/schema`, body)
}

/** The same for one of the responses that the document names, such as `NotFound`. */
export const findingsInNamed = (name: string, body: unknown): string[] =>
  findingsAt(`/components/responses/${name}/content/application~1json/schema`, body)

function findingsAt(pointer: string, body: unknown): string[] {
  const validate = ajv.getSchema(`openapi.json#${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}`)
  if (!validate) throw new Error(`the OpenAPI document has no schema at ${pointer}`)
  return validate(body) ? [] : (validate.errors ?? []).map(textOf)
}

const textOf = ({ instancePath, message }: ErrorObject): string => `${instancePath} ${message}`
