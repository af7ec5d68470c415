// Puts archives and packages on the page of a release, with their manifests: node .ci/packages/publish.js <folder> <tag>
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const [folder, tag] = process.argv.slice(2)
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
if (!folder || !tag || !server || !repository)
  throw new Error('name the folder and the tag, within a workflow of GitHub')

const address = `${server}/${repository}/releases/download/${tag}`
execFileSync(process.execPath, [join(import.meta.dirname, 'manifests.js'), folder, address], {
  stdio: 'inherit',
})
const files = readdirSync(folder).map(file => join(folder, file))
execFileSync('gh', ['release', 'create', tag, '--verify-tag', '--notes', 'See CHANGELOG.md.', ...files], {
  stdio: 'inherit',
})
