// Writes dist/NOTICES.txt: the licence of every package of which something is in the build, as the licences ask for.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, root } from './bundle.js'

const notices = builtPackages().map(({ folder, name, version, license }) => {
  const file = readdirSync(join(root, folder)).find(each => /^licen[cs]e/i.test(each))
  const text = file ? readFileSync(join(root, folder, file), 'utf8') : ''
  if (!text && !license) throw new Error(`${name} has no licence`)
  return [`${name} ${version} (${license})`, text.replaceAll('\r\n', '\n').trim()].filter(Boolean).join('\n\n')
})
const rule = `\n\n${'-'.repeat(80)}\n\n`
writeFileSync(
  join(root, 'dist/NOTICES.txt'),
  `pubctl holds parts of these packages:${rule}${notices.join(rule)}\n`,
)
