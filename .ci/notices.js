// Writes dist/NOTICES.txt: the licence of each package of which something is in the build, and whose copyright it is.
//
// The licences ask for their text and for the lines of copyright. Nearly all packages share a few texts, so each text stands
// once, below those who use it. The Mozilla licence asks for its address instead, and for that of the source.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, root } from './bundle.js'
import { write } from './write.js'

/** A line that only names the licence. */
const title = /^\W*(?:the )?(?:MIT|ISC) licen[cs]e\W*(?:\((?:MIT|Expat)\))?\W*$/i
/** A line that says whose copyright it is; a line of the licence's text goes on with a small letter. */
const copyright = /^\s*Copyright (?=\(c\)|[A-Z\d])/

/** By the words of the text: quotation marks and where lines end make no other licence. */
const licences = new Map()
// First those with a text, so that a package which only names its licence finds the text of it.
const packages = builtPackages().map(noticeOf)
for (const { label, license, holders, text } of packages.sort(
  (a, b) => Number(b.text !== '') - Number(a.text !== ''),
)) {
  const words = text.replaceAll("'", '"').replace(/\s+/g, ' ')
  const known = text ? licences.get(words) : [...licences.values()].find(each => each.license === license)
  const licence = known ?? { license, text, labels: new Map() }
  if (!licence.text) throw new Error(`${label} comes without the text of its licence`)
  if (!known) licences.set(words, licence)
  licence.labels.set(holders, [...(licence.labels.get(holders) ?? []), label])
}

const rule = '='.repeat(80)
const sections = [...licences.values()].map(({ license, text, labels }) => {
  const held = [...labels].map(([holders, names]) =>
    [holders, filled(names.join(', '))].filter(Boolean).join('\n'),
  )
  return [`${rule}\n${license}\n${rule}`, ...held, text].join('\n\n')
})
const head =
  'pubctl holds parts of these packages. The text of a licence follows the packages that it is for.'
write(join(root, 'dist/NOTICES.txt'), `${[head, ...sections].join('\n\n')}\n`)

/** What there is to say of a package; its text is empty if it only names its licence. */
function noticeOf(
  /** @type {ReturnType<typeof builtPackages>[number]} */ { folder, name, version, license },
) {
  const { author, repository } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const label = `${name} ${version}`
  if (license === 'MPL-2.0') {
    const source = repository.url.replace(/^(?:git\+)?\w+:/, 'https:')
    return { label, license, holders: `Source: ${source}`, text: 'Text: https://www.mozilla.org/MPL/2.0/' }
  }
  const file = readdirSync(join(root, folder)).find(each => /^licen[cs]e/i.test(each))
  if (!file) return { label, license, holders: `Copyright ${author}`, text: '' }
  const lines = readFileSync(join(root, folder, file), 'utf8').split(/\r?\n/)
  const isHolder = (/** @type {string} */ line) => copyright.test(line)
  const text = lines.filter(line => !isHolder(line) && !title.test(line)).join('\n')
  return {
    label,
    license,
    holders: lines
      .filter(isHolder)
      .map(line => line.trim())
      .join('\n'),
    // What follows in an Apache licence is the form for those who use it.
    text: text
      .replace(/\s*APPENDIX: How to apply.*/s, '')
      .replace(/\n\s*\n/g, '\n\n')
      .replace(/^\n+|\s+$/g, ''),
  }
}

/** Indented, and broken between packages before 100 characters. */
function filled(/** @type {string} */ names) {
  return names.replace(/(.{1,96}(?:,|$))(?: |$)/g, '  $1\n').trimEnd()
}
