// Checks that a tag may be released: node .ci/release.js v1.2.3
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

const troubles = []
if (tag !== `v${version}`) troubles.push(`the tag is ${tag || 'missing'}, and package.json says ${version}`)
const heading = new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\]?( |$)`, 'm')
if (!heading.test(changelog)) troubles.push(`CHANGELOG.md has no heading for ${version}`)
for (const trouble of troubles) console.error(`not to be released: ${trouble}`)
if (troubles.length > 0) process.exitCode = 1
else console.log(`${tag} may be released`)
