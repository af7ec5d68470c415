// Publishes a packed tarball with its provenance: node .ci/publish.js <tarball>
//
// Provenance is signed with the identity of a release workflow. Anywhere else nothing is published, and what would be is
// listed.
import { spawnSync } from 'node:child_process'

const [tarball] = process.argv.slice(2)
if (tarball === undefined) throw new Error('name the tarball to publish')
const isRelease = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined
// `npm publish --dry-run` would ask the registry which versions there are.
const how = isRelease
  ? ['publish', tarball, '--provenance', '--access', 'public']
  : ['pack', tarball, '--dry-run']
const { status } = spawnSync('npm', how, { stdio: 'inherit', shell: process.platform === 'win32' })
process.exitCode = status ?? 1
