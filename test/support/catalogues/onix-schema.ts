import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '../machine/pubctl.ts'

/**
 * The folder of EDItEUR's schema of ONIX 3.1 and its code lists, which lie beside the project: `ONIX_SCHEMA`, or
 * `.cache/onix` in the user's folder.
 */
const folder = process.env['ONIX_SCHEMA'] ?? join(homedir(), '.cache/onix')
const schema = join(folder, 'ONIX_BookProduct_3.1_reference.xsd')

/** Whether messages can be checked here: the schema and xmllint are there. */
export const hasOnixSchema =
  existsSync(schema) && spawnSync('xmllint', ['--version'], { stdio: 'ignore' }).error === undefined

/** What the schema and its code lists say against messages, one line for each fault. */
export function schemaFaults(files: readonly string[]): string[] {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, ...files], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const faults = stderr.split('\n').filter(line => line !== '' && !line.endsWith(' validates'))
  return status === 0 || faults.length > 0 ? faults : [`xmllint ended with ${status}`]
}

/** The same of texts, all in one run, since xmllint takes long to read the schema. */
export function schemaFaultsOf(messages: readonly string[]): string[] {
  const folder = temporaryFolder()
  return schemaFaults(
    messages.map((text, number) => {
      const path = join(folder, `${number}.xml`)
      writeFileSync(path, text)
      return path
    }),
  )
}
