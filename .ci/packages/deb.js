// Packs the folder of the single executable for Debian, beside it, and prints the package: node .ci/packages/deb.js <folder>
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../bundle.js'
import { filesBelow } from '../files-below.js'
import { architecture } from '../platform.js'
import { sourceDate } from '../source-date.js'

const [built = ''] = process.argv.slice(2)
if (built === '') throw new Error('name the folder that .ci/packages/executable.js printed')

const { name, version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const maintainer = 'The pubctl maintainers <pubctl@packages.invalid>'

/** What lintian finds in Node.js itself. */
const overrides = `# Node.js is built so by its makers, and this is their program.
pubctl: embedded-library zlib [usr/bin/pubctl]
pubctl: hardening-no-pie [usr/bin/pubctl]
`

const tree = mkdtempSync(join(tmpdir(), 'pubctl-deb-'))
try {
  // Whoever packs may have a umask that keeps folders to themselves.
  process.umask(0o022)
  chmodSync(tree, 0o755)
  copy('pubctl', 'usr/bin/pubctl', 0o755)
  copy('completions/pubctl.bash', 'usr/share/bash-completion/completions/pubctl')
  copy('completions/_pubctl', 'usr/share/zsh/vendor-completions/_pubctl')
  copy('completions/pubctl.fish', 'usr/share/fish/vendor_completions.d/pubctl.fish')
  copy('NOTICES.txt', 'usr/share/doc/pubctl/NOTICES.txt')
  copy('build.json', 'usr/share/doc/pubctl/build.json')
  for (const page of readdirSync(join(built, 'man'))) {
    write(`usr/share/man/man1/${page}.gz`, gzipSync(readFileSync(join(built, 'man', page)), { level: 9 }))
  }
  write('usr/share/doc/pubctl/changelog.gz', gzipSync(changelog(), { level: 9 }))
  write('usr/share/doc/pubctl/copyright', copyright())
  write('usr/share/lintian/overrides/pubctl', overrides)
  const installed = filesBelow(tree)
  write('DEBIAN/md5sums', installed.map(path => `${md5(path)}  ${path}\n`).join(''))
  write('DEBIAN/control', control(installed))
  const file = resolve(built, '..', `${name}_${version}_${architecture}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(file)
} finally {
  rmSync(tree, { recursive: true, force: true })
}

function write(/** @type {string} */ path, /** @type {any} */ content) {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), content, { mode: 0o644 })
}

function copy(/** @type {string} */ from, /** @type {string} */ path, mode = 0o644) {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  copyFileSync(join(built, from), join(tree, path))
  chmodSync(join(tree, path), mode)
}

function md5(/** @type {string} */ path) {
  return createHash('md5')
    .update(readFileSync(join(tree, path)))
    .digest('hex')
}

function control(/** @type {readonly string[]} */ installed) {
  const kibibytes = installed.reduce(
    (/** @type {number} */ sum, /** @type {string} */ path) =>
      sum + Math.ceil(statSync(join(tree, path)).size / 1024),
    0,
  )
  return `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Section: utils
Priority: optional
Description: command line of a hosted publishing service
 ${description.replace(/(.{1,75})(?: |$)/g, '$1\n ').trim()}
 .
 It comes with a sandbox of the whole service, and needs no Node.js.
`
}

/** The changelog in Debian's form, with one entry that says where the real one is. */
function changelog() {
  return `${name} (${version}) stable; urgency=medium

  * See CHANGELOG.md of this version.

 -- ${maintainer}  ${sourceDate.toUTCString().replace('GMT', '+0000')}
`
}

function copyright() {
  const paragraph = (/** @type {string} */ text) => text.trim().replace(/^\s*$/gm, '.').replace(/^/gm, ' ')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${name}
Comment: The executable holds Node.js ${process.version}, whose licences are at
 https://github.com/nodejs/node/blob/${process.version}/LICENSE, and parts of the
 packages in NOTICES.txt, which is beside this file.

Files: *
Copyright: 2026 the pubctl maintainers
License: Expat
${paragraph(readFileSync(join(root, 'LICENSE'), 'utf8'))}
`
}
