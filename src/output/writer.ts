import { UsageFailure } from '../errors.ts'
import type { Output, Terminal } from '../system/standard-output.ts'
import { neutralise } from './neutralise.ts'
import { hideInJson } from './secrets.ts'

/** The text styles pubctl uses, each with the sequences that start and end it. */
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
  `(${[...new Set(Object.values(styles).flat())].map(sequence => sequence.replace('[', '\\[')).join('|')})`,
)

/**
 * The one door to stdout or stderr: every byte passes here. Text is neutralised; only `styled` lets pubctl's own colour
 * sequences through, and only where colour is on, so whoever styles a text neutralises the foreign parts of it first.
 */
export interface Writer {
  readonly isTerminal: boolean
  readonly hasColour: boolean
  /** The width of the terminal in columns; Infinity where the output goes elsewhere. */
  readonly width: number
  paint(style: Style, text: string): string
  /** Resolves once the stream takes more, so that output of any size keeps memory flat. */
  write(text: string): Promise<void>
  styled(text: string): Promise<void>
  /** For serialised JSON, whose unsafe characters were escaped already: whole documents, or whole items of one. */
  json(text: string): Promise<void>
  /** For any other text whose unsafe characters were escaped already. */
  escaped(text: string): Promise<void>
  /** A text without the secrets in it: for what reaches a person by another way than this writer. */
  hide(text: string): string
  /** The terminal itself, for live progress alone, which must move the cursor. */
  readonly terminal: Terminal | undefined
  /** True once the reader of a pipe went away (`| head -1`): what is written then is dropped. */
  readonly isClosed: boolean
}

/** Whether colour is wanted: `--color` first, then NO_COLOR, FORCE_COLOR and TERM, then whether it is a terminal. */
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

interface WriterOptions {
  /** Takes the secrets out of a text; every text passes it, whole lines at a time, before it is cut or neutralised. */
  readonly hide?: (text: string) => string
  /** True for the stream on which failures are told: there is nowhere to tell that it fails itself. */
  readonly mayFail?: boolean
}

export function createWriter(
  stream: Output,
  hasColour: boolean,
  { hide = text => text, mayFail = false }: WriterOptions = {},
): Writer {
  const terminal = stream.isTTY === true ? stream : undefined
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
    // Where a terminal does not know its width, nothing tells how far back a live line reaches.
    terminal: terminal?.columns === 0 ? undefined : terminal,
    hasColour,
    width: terminal ? terminal.columns || 80 : Number.POSITIVE_INFINITY,
    paint: (style, text) => (hasColour && text !== '' ? styles[style][0] + text + styles[style][1] : text),
    write: text => put(neutralise(hide(text))),
    styled: text =>
      put(
        hide(text)
          .split(ownSequences)
          .map((part, index) => (index % 2 === 0 ? neutralise(part) : hasColour ? part : ''))
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

const unwritable = (error: NodeJS.ErrnoException): UsageFailure =>
  new UsageFailure(`the output cannot be written: ${error.code ?? error.message}`, {
    code: 'output_unwritable',
    hint: 'Free some space, or write the output elsewhere.',
    cause: error,
  })
