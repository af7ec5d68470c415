import { UsageFailure } from '../../system/errors.ts'
import type { OutputStream, Terminal } from '../../system/standard-output.ts'
import { link, linkSequence } from './links.ts'
import { neutralise } from './neutralise.ts'
import { hideInJson } from './secrets.ts'

/** The escape sequences that start and end each text style. */
const styles = {
  bold: ['\u001b[1m', '\u001b[22m'],
  dim: ['\u001b[2m', '\u001b[22m'],
  red: ['\u001b[31m', '\u001b[39m'],
  green: ['\u001b[32m', '\u001b[39m'],
  yellow: ['\u001b[33m', '\u001b[39m'],
  cyan: ['\u001b[36m', '\u001b[39m'],
} as const
type Style = keyof typeof styles

const ownSequences = new RegExp(
  `(${[...new Set(Object.values(styles).flat())].map(sequence => sequence.replace('[', '\\[')).join('|')}|${linkSequence})`,
)

/**
 * The only way to write to stdout or stderr. It hides secrets and escapes control characters. Only `styled` keeps pubctl's
 * own colour sequences, so callers must escape foreign text before they style it.
 */
export interface Writer {
  readonly isTerminal: boolean
  readonly hasColour: boolean
  /** Whether pictures may consist of more than ASCII. */
  readonly isUnicode: boolean
  /** The width of the terminal in columns; Infinity for other outputs. */
  readonly width: number
  paint(style: Style, text: string): string
  /** The text as a link, where the terminal opens links and the address is one of the web. */
  link(text: string, address: string): string
  /** Resolves when the text is written, so that output of any size needs little memory. */
  write(text: string): Promise<void>
  styled(text: string): Promise<void>
  /** Writes serialised JSON that is already escaped: whole documents, or whole items of one. */
  json(text: string): Promise<void>
  /** Writes any other text that is already escaped. */
  escaped(text: string): Promise<void>
  /** Hides the secrets in a text that is not written by this writer, such as a prompt. */
  hide(text: string): string
  /** The terminal itself, only for live progress, which moves the cursor. */
  readonly terminal: Terminal | undefined
  /** True once the reader of a pipe is gone (`| head -1`). Later output is dropped. */
  readonly isClosed: boolean
}

/** Whether to use colour, by `--color`, else NO_COLOR, FORCE_COLOR and TERM, else whether the output is a terminal. */
export function wantsColour(
  choice: 'auto' | 'always' | 'never',
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Whether the locale has Unicode, as POSIX finds it in the environment, and the terminal has the characters for pictures. */
export function speaksUnicode(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  if (platform === 'win32' && (env['WT_SESSION'] || env['TERM_PROGRAM'] === 'vscode')) return true
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '')
}

interface WriterOptions {
  /** False where pictures must consist of ASCII. */
  readonly isUnicode?: boolean
  /** Removes secrets. It gets every text, in whole lines, before it is cut or escaped. */
  readonly hide?: (text: string) => string
  /** Ignores errors of the stream. True for stderr, since there is nowhere to report its own errors. */
  readonly mayFail?: boolean
  /** Whether the terminal opens links. */
  readonly hasLinks?: boolean
}

/** A writer on a stream. Throws UsageFailure `output_unwritable` when writing fails, unless the reader is gone. */
export function createWriter(
  stream: OutputStream,
  hasColour: boolean,
  { hide = text => text, mayFail = false, isUnicode = true, hasLinks = false }: WriterOptions = {},
): Writer {
  const terminal = stream.isTTY === true ? stream : undefined
  const isAllowed = (sequence: string): boolean => (sequence[1] === ']' ? hasLinks : hasColour)
  let isClosed = false

  const put = async (text: string): Promise<void> => {
    if (isClosed || text === '') return
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>(resolve => {
      stream.write(text, resolve)
    })
    if (!error) return
    isClosed = true
    const isReaderGone = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
    if (!isReaderGone && !mayFail) throw unwritable(error)
  }
  return {
    isTerminal: terminal !== undefined,
    // A live line can only be redrawn if the width of the terminal is known.
    terminal: terminal?.columns === 0 ? undefined : terminal,
    hasColour,
    isUnicode,
    width: terminal ? terminal.columns || 80 : Number.POSITIVE_INFINITY,
    paint: (style, text) => (hasColour && text !== '' ? styles[style][0] + text + styles[style][1] : text),
    link: (text, address) => (hasLinks ? link(text, address) : text),
    write: text => put(neutralise(hide(text))),
    styled: text =>
      put(
        hide(text)
          .split(ownSequences)
          .map((part, index) => (index % 2 === 0 ? neutralise(part) : isAllowed(part) ? part : ''))
          .join(''),
      ),
    json: text => put(hideInJson(text, hide)),
    escaped: text => put(hide(text)),
    hide,
    get isClosed() {
      return isClosed
    },
  }
}

/** A writer that hands each line to a function, without secrets. */
export const createLineWriter = (tell: (line: string) => void, hide: (text: string) => string): Writer =>
  createWriter(
    {
      write(text, done) {
        for (const line of String(text).split('\n')) if (line !== '') tell(line)
        done()
      },
    },
    false,
    { hide, mayFail: true },
  )

const unwritable = (error: NodeJS.ErrnoException): UsageFailure =>
  new UsageFailure(`the output cannot be written: ${error.code ?? error.message}`, {
    code: 'output_unwritable',
    hint: 'Free some space, or write the output elsewhere.',
    cause: error,
  })
