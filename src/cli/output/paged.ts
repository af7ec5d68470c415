import type { OpenPager, Pager } from '../../system/pager.ts'
import type { World } from '../../system/world.ts'
import type { WaitingLine } from './waiting.ts'
import { createWriter, type Writer } from './writer.ts'

/** The command line of the pager: PUBCTL_PAGER, else PAGER, else less. Empty or `cat` means none, as for git. */
function pagerCommand(env: World['env']): string | undefined {
  const command = (env['PUBCTL_PAGER'] ?? env['PAGER'] ?? 'less').trim()
  return command === '' || command === 'cat' || env['TERM'] === 'dumb' ? undefined : command
}

/** More than any pipe holds, in characters: a pager that has taken so much has begun to show it. */
const mostKept = 1024 * 1024

/**
 * Prints with a writer whose text goes through a pager if it has more lines than the terminal. Text is kept until that is
 * known, and until a pager has surely begun to show it: what one that fails has taken is printed without it. When the user
 * leaves the pager early, the writer is closed, so that nothing more is requested.
 */
export async function printPaged(
  out: Writer,
  env: World['env'],
  open: OpenPager,
  waiting: WaitingLine,
  print: (out: Writer) => Promise<void>,
): Promise<void> {
  const command = pagerCommand(env)
  const rows = out.terminal?.rows ?? 0
  if (command === undefined || rows === 0) return await print(out)

  let kept: string[] | undefined = []
  let keptLength = 0
  let lines = 0
  let isLong = false
  let pager: Pager | undefined
  let showWaits = () => {}
  type Done = (error?: Error | null) => void
  const keep = (text: string | Uint8Array): void => {
    kept?.push(`${text}`)
    keptLength += text.length
    if (isLong && keptLength > mostKept) kept = undefined
  }
  /** Closes the pager. What one that has failed may not have shown is printed without it, as is all that follows. */
  const leave = async (): Promise<{ isPrinted: boolean }> => {
    const left = await pager?.close()
    if (!left?.hasFailed || kept === undefined) return { isPrinted: false }
    pager = undefined
    const text = kept.join('')
    kept = undefined
    await new Promise(resolve => out.terminal?.write(text, resolve))
    return { isPrinted: true }
  }
  const page = (text: string | Uint8Array, done: Done): unknown => {
    if (pager === undefined) return out.terminal?.write(text, done)
    return pager.write(text, error => {
      if (!error) return done()
      leave().then(({ isPrinted }) => done(isPrinted ? undefined : error), done)
    })
  }
  const write = (text: string | Uint8Array, done: Done): unknown => {
    keep(text)
    if (isLong) return page(text, done)
    lines += `${text}`.split('\n').length - 1
    // The last line of the terminal is for the prompt of the shell.
    if (lines < rows) return done()
    isLong = true
    pager = open(command)
    // A live line would be drawn over what the pager shows.
    if (pager) showWaits = waiting.showIn(() => undefined)
    return page((kept ?? []).join(''), done)
  }
  const inner = createWriter({ write }, out.hasColour, { hide: out.hide, isUnicode: out.isUnicode })
  try {
    await print({
      ...inner,
      isTerminal: true,
      width: out.width,
      get isClosed() {
        return inner.isClosed
      },
    })
  } finally {
    if (!isLong) await out.escaped((kept ?? []).join(''))
    await leave()
    showWaits()
  }
}
