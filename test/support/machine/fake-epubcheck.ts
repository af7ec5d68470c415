import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const message = (ID: string, severity: string, text: string) => ({
  ...{ ID, severity, message: text, suggestion: 'Do this.', additionalLocations: 0 },
  locations: [{ path: 'EPUB/package.opf', line: 3 }],
})

const report = (version: string, ...messages: object[]) =>
  JSON.stringify({ checker: { checkerVersion: version }, messages })

/** How it says that it is EPUBCheck, in words. */
export const fakeText = (folder: string, version = '5.3.0') =>
  `EPUBCheck ${version} (${join(folder, 'epubcheck')})`

/**
 * A program `epubcheck` in a folder, which does to a book what the book's name says: it finds an error in `wrong.epub`, warns of
 * `odd.epub`, dies at `dead.epub`, ends at `halted.epub` as by Ctrl-C, and waits at `slow.epub` until its folder has a file `go`. It notes each book in `checked`.
 * Gives the PATH that has it.
 */
export function fakeEpubCheck(folder: string, version = '5.3.0'): string {
  mkdirSync(folder, { recursive: true })
  const error = report(version, message('RSC-099', 'ERROR', 'It is wrong'))
  const warning = report(version, message('OPF-099', 'WARNING', 'It is odd'))
  const script = `#!/bin/sh
for book; do :; done
echo "$book" >> '${folder}/checked'
case "$book" in
  */wrong*) echo '${error}'; exit 1 ;;
  */odd*) echo '${warning}'; exit 0 ;;
  */dead*) kill -9 $$ ;;
  */halted*) kill -INT $$ ;;
  */slow*) while [ ! -e '${folder}/go' ]; do sleep 0.05; done ;;
esac
echo '${report(version)}'
`
  writeFileSync(join(folder, 'epubcheck'), script)
  chmodSync(join(folder, 'epubcheck'), 0o755)
  return [folder, '/usr/bin', '/bin'].join(delimiter)
}
