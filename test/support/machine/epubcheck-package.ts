import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A package of the same name and interface, which does to a book what the book's name says. */
export const epubCheckPackage = {
  'package.json': JSON.stringify({
    name: 'epubcheck-standalone',
    version: '5.9.0-build1',
    type: 'module',
    exports: { '.': './dist/index.js' },
  }),
  'dist/index.js': `
    let books = 0
    const message = (ID, severity, message, path, line) =>
      ({ ID, severity, message, suggestion: null, additionalLocations: 0, locations: path ? [{ path, line }] : [] })
    export async function validate(source, { name }) {
      if (name.startsWith('deadly')) process.kill(process.pid, 'SIGKILL')
      if (name.startsWith('endless')) for (;;);
      if (name.startsWith('thrown')) throw new TypeError('Provider not found')
      if (name.startsWith('sound'))
        return { exitCode: 0, stderr: '', reports: { json: JSON.stringify({ messages: [], checker: { checkerVersion: '5.9.0' } }) } }
      if (name.startsWith('broken off'))
        return { exitCode: 1, stderr: 'java.lang.RuntimeException: of null', reports: { json: JSON.stringify({ messages: [], checker: { checkerVersion: '5.9.0' } }) } }
      const messages = [
        message('RSC-007', 'ERROR', 'Referenced resource "gone.png" could not be found', 'EPUB/one.xhtml', 2),
        message('RSC-007', 'ERROR', 'Referenced resource "far.png" could not be found', 'EPUB/one.xhtml', 90),
        message('PKG-010', 'ERROR', \`\${name} is book \${++books}, with \${source.read(0, 2).toString()}, of process \${process.pid}\`),
      ]
      return { exitCode: 1, stderr: '', reports: { json: JSON.stringify({ messages, checker: { checkerVersion: '5.9.0' } }) } }
    }`,
}

/** The processes that a program runs EPUBCheck in. */
export const enginesOf = ({ pid }: Pick<ChildProcess, 'pid'>): string[] =>
  readdirSync('/proc').filter(
    id => statOf(id)[1] === String(pid) && /epubcheck-process/.test(readProcess(id, 'cmdline')),
  )

/** The process that a program runs EPUBCheck in, as soon as it is there. */
export async function engineOf(program: Pick<ChildProcess, 'pid'>): Promise<string> {
  for (;;) {
    const [found] = enginesOf(program)
    if (found !== undefined) return found
    await sleep(5)
  }
}

/** State and parent of a process; nothing when there is none. */
const statOf = (id: string): string[] => readProcess(id, 'stat').split(') ')[1]?.split(' ') ?? []

export const isAlive = (id: string): boolean => (statOf(id)[0] ?? 'Z') !== 'Z'

function readProcess(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
