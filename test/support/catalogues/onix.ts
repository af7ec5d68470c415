import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../machine/pubctl.ts'

export * from './onix-message.ts'

/** The path of a file with this content, in a folder of its own. */
export function onixFile(content: string | Buffer, name = 'message.xml'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
