// Puts the folder of the single executable into an archive beside it, and prints that: node .ci/packages/archive.js <folder>
//
// It is a .tar.gz or, for Windows, the .zip that Scoop unpacks. The same files make the same bytes: in order, dated as the source,
// and of nobody.
import { execFileSync } from 'node:child_process'
import { chmodSync, createWriteStream, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { ZipFile } from 'yazl'
import { filesBelow } from '../files-below.js'
import { sourceDate, sourceEpoch } from '../source-date.js'

if (process.argv[2] === undefined) throw new Error('name the folder that .ci/packages/executable.js printed')

const folder = resolve(process.argv[2])
const above = dirname(folder)
const names = filesBelow(folder).map(name => `${basename(folder)}/${name}`)
console.log(names.some(name => name.endsWith('/pubctl.exe')) ? await zip() : tar())

async function zip() {
  // A zip holds times of day in no zone.
  process.env['TZ'] = 'UTC'
  const archive = `${folder}.zip`
  const file = new ZipFile()
  for (const name of names)
    file.addFile(join(above, name), name, { mtime: sourceDate, mode: modeOf(name) | 0o100000 })
  file.end()
  await pipeline(file.outputStream, createWriteStream(archive))
  return archive
}

function tar() {
  for (const name of names) {
    chmodSync(join(above, name), modeOf(name))
    utimesSync(join(above, name), sourceEpoch, sourceEpoch)
  }
  // The tar of macOS is another one.
  const nobody =
    process.platform === 'darwin'
      ? ['--uid', '0', '--gid', '0', '--uname', '', '--gname', '']
      : ['--owner=0', '--group=0', '--numeric-owner']
  const bytes = execFileSync('tar', ['-c', '-f', '-', '--format=ustar', ...nobody, '-C', above, '-T', '-'], {
    input: names.join('\n'),
    maxBuffer: 2 ** 30,
  })
  const archive = `${folder}.tar.gz`
  writeFileSync(archive, gzipSync(bytes, { level: 9 }))
  return archive
}

/** The program alone can be run. */
function modeOf(/** @type {string} */ name) {
  return /^pubctl(?:\.exe)?$/.test(basename(name)) ? 0o755 : 0o644
}
