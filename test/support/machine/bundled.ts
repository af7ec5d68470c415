import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const contributing = readFileSync(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8')
const [table = ''] = contributing.split('\nBundled:\n')[1]?.split('\nFor development:\n') ?? []
const rows = table.split('\n').filter(line => line.startsWith('| `'))

/** The packages that CONTRIBUTING says are bundled. Of @inquirer/prompts there is nothing but the names of its parts. */
export const bundled = rows
  .flatMap(row => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  .filter(name => name !== '@inquirer/prompts')
