import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const message = (ID: string, severity: string, text: string) => ({
  ...{ ID, severity, message: text, suggestion: 'Do this.', additionalLocations: 0 },
  locations: [{ path: 'EPUB/package.opf', line: 3 }],
})

const report = (version: string, ...messages: object[]) =>
  JSON.stringify({ checker: { checkerVersion: version }, messages })

/** As many attributes as a schema of HTML has. */
const attributes = Array.from({ length: 90 }, (_, index) => `"onevent${index}"`).join(', ')
const listing = `attribute "a" not allowed here; expected attribute ${attributes} or "z" (with x="y")`

const isWindows = process.platform === 'win32'

/** Where it is. */
export const fakeProgram = (folder: string) => join(folder, isWindows ? 'epubcheck.cmd' : 'epubcheck')

/** How it says that it is EPUBCheck, in words. */
export const fakeText = (folder: string, version = '5.3.0') => `EPUBCheck ${version} (${fakeProgram(folder)})`

/**
 * A program `epubcheck` in a folder, which does to a book what the book's name says: it finds an error in `wrong.epub`, warns of
 * `odd.epub`, lists what else might stand in `listed.epub`, dies at `dead.epub`, ends at `halted.epub` as by Ctrl-C, and waits at `slow.epub` until its folder has a file `go`. It notes each book in `checked`.
 * Gives the PATH that has it.
 */
export function fakeEpubCheck(folder: string, version = '5.3.0'): string {
  mkdirSync(folder, { recursive: true })
  const says = {
    error: report(version, message('RSC-099', 'ERROR', 'It is wrong')),
    warning: report(version, message('OPF-099', 'WARNING', 'It is odd')),
    listed: report(version, message('RSC-005', 'ERROR', listing)),
    sound: report(version),
  }
  const programs = isWindows ? onWindows(folder, says) : onUnix(folder, says)
  return [folder, ...programs].join(delimiter)
}

/** What it prints about each kind of book. */
type Says = Readonly<Record<'error' | 'warning' | 'listed' | 'sound', string>>

/** Makes a script of a shell. Gives the folders of the programs that it needs. */
function onUnix(folder: string, { error, warning, listed, sound }: Says): string[] {
  const script = `#!/bin/sh
for book; do :; done
echo "$book" >> '${folder}/checked'
case "$book" in
  */wrong*) echo '${error}'; exit 1 ;;
  */odd*) echo '${warning}'; exit 0 ;;
  */listed*) echo '${listed}'; exit 1 ;;
  */dead*) kill -9 $$ ;;
  */halted*) kill -INT $$ ;;
  */slow*) while [ ! -e '${folder}/go' ]; do sleep 0.05; done ;;
esac
echo '${sound}'
`
  writeFileSync(fakeProgram(folder), script)
  chmodSync(fakeProgram(folder), 0o755)
  return ['/usr/bin', '/bin']
}

/** Makes a script of Windows' command line, which runs a module. Gives the folders of the programs that it needs. */
function onWindows(folder: string, says: Says): string[] {
  writeFileSync(fakeProgram(folder), '@node "%~dp0epubcheck.cjs" %*\r\n')
  writeFileSync(
    join(folder, 'epubcheck.cjs'),
    `const { appendFileSync, existsSync } = require('node:fs')
const { basename, join } = require('node:path')
const { error, warning, listed, sound } = ${JSON.stringify(says)}
const book = process.argv.at(-1)
appendFileSync(join(__dirname, 'checked'), book + '\\n')
const [kind] = /^(wrong|odd|listed|dead|halted|slow)?/.exec(basename(book))
const end = (text, code) => {
  console.log(text)
  process.exitCode = code
}
const waiting = () => (existsSync(join(__dirname, 'go')) ? end(sound, 0) : setTimeout(waiting, 50))
if (kind === 'wrong') end(error, 1)
else if (kind === 'odd') end(warning, 0)
else if (kind === 'listed') end(listed, 1)
else if (kind === 'dead') process.kill(process.pid, 'SIGKILL')
else if (kind === 'halted') process.exit(0xc000013a)
else if (kind === 'slow') waiting()
else end(sound, 0)
`,
  )
  return [dirname(process.execPath)]
}
