import type { Writer } from './output/writer.ts'

const commonest: readonly (readonly [command: string, does: string])[] = [
  ['profile setup', 'save the address and key of your service'],
  ['publications upload book.epub', 'upload a book, and wait for the scan'],
  ['publications list', 'show what is there'],
  ['inspect book.epub', 'show its metadata, cover and problems'],
  ['doctor', 'find out why something does not work'],
]

/** What `pubctl` alone shows: what it is, the commonest commands, and where the rest is. At most twenty lines of 80 columns. */
export function firstScreen(paint: Writer['paint']): string {
  const width = Math.max(...commonest.map(([command]) => command.length))
  const line = (command: string, does: string) => `  pubctl ${command.padEnd(width)}  ${does}`
  return `${[
    'pubctl runs a hosted publishing service from the command line: it uploads EPUB,',
    'PDF and audiobook files, and manages everything around them.',
    '',
    paint('bold', 'Begin with:'),
    ...commonest.map(([command, does]) => line(command, does)),
    '',
    paint('bold', 'To try it without a service, run one on this machine:'),
    '  pubctl sandbox book book.epub',
    '  pubctl --profile sandbox publications upload book.epub',
    '',
    paint('bold', 'Find the rest:'),
    line('--help', 'all commands, and common options'),
    line('publications upload --help', 'a command, with examples'),
    line('help environment', 'the variables that pubctl reads'),
  ].join('\n')}\n`
}
