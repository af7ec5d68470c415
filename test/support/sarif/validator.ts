import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'

// The schema of OASIS as it is published, in draft 4 of JSON Schema; of what that writes in another way than later drafts, it has `id`.
const {
  $schema: _,
  id: $id,
  ...schema
} = JSON.parse(readFileSync(join(import.meta.dirname, 'sarif-schema-2.1.0.json'), 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)
const validate = ajv.compile({ $id, ...schema })

/** What is wrong with a SARIF file by the schema of OASIS. */
export function sarifFaults(text: string): string[] {
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}
