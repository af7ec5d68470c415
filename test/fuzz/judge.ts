import { foreignControls } from '../support/machine/terminal.ts'
import type { Ended } from './program.ts'
import { givenSignature, key, signature } from './secrets.ts'

/** What is wrong with how the program read an input. */
export interface Finding {
  readonly kind:
    | 'fault'
    | 'hang'
    | 'slow'
    | 'memory'
    | 'death'
    | 'control'
    | 'secret'
    | 'json'
    | 'silent'
    | 'contradiction'
  /** The same for the same mistake, as far as can be told. */
  readonly what: string
  /** The command line that showed it. */
  readonly line: string
}

/** What is wrong with one command line. */
export function judge({ args, code, out, err }: Ended): Finding[] {
  const found: Finding[] = []
  const line = args.join(' ')
  const add = (kind: Finding['kind'], what: string) => found.push({ kind, what, line })
  if (code === 1) add('fault', faultIn(err))
  const controls = foreignControls(out + err, false)
  if (controls.length > 0) add('control', [...new Set(controls)].slice(0, 3).join(' '))
  if (`${out}${err}`.includes(key)) add('secret', out.includes(key) ? 'in the output' : 'in the error')
  // Who asks for a session gets its address; who uses one does not.
  const usesSession = /^(uploads (put|resume)|catalogue apply|publications upload) /.test(line)
  const shows = (text: string, value: string) => text.includes(`X-Amz-Signature=${value}`)
  if (shows(err, givenSignature) || shows(usesSession ? out + err : err, signature))
    add('secret', 'an upload address')
  if (args.includes('--json')) {
    if (out !== '' && !isJson(out)) add('json', 'the output is not JSON')
    if (code !== 0 && !isJson(err.trim().split('\n').at(-1) ?? '')) add('json', 'the error is not JSON')
  }
  if (code !== 0 && err === '') add('silent', `exit code ${code} without a word`)
  return found
}

/** What a second reading of the same input says otherwise. */
export function contradiction(first: Ended, second: Ended): Finding[] {
  const what =
    first.code !== second.code
      ? `exit codes ${[first.code, second.code].sort((a, b) => a - b).join(' and ')}`
      : steady(first.out) !== steady(second.out)
        ? 'other output'
        : undefined
  return what === undefined ? [] : [{ kind: 'contradiction', what, line: second.args.join(' ') }]
}

/** Without what is new each time: ids, times, and the order of what is done at the same time. */
const steady = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '(id)')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .split('\n')
    .sort()
    .join('\n')

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The message of a fault, without what differs from input to input. */
const faultIn = (err: string): string =>
  (/this is a fault in pubctl: ([^"\n]*)/.exec(err)?.[1] ?? err.slice(0, 100))
    .replace(/\d+/g, '0')
    .slice(0, 80)
