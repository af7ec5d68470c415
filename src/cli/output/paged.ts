import type { OpenPager, Pager } from '../../system/pager.ts'
import type { World } from '../../system/world.ts'
import type { WaitingLine } from './waiting.ts'
import { createWriter, type Writer } from './writer.ts'

/** The command line of the pager: PUBCTL_PAGER, else PAGER, else less. Empty or `cat` means none, as for git. */
function pagerCommand(env: World['env']): string | undefined {
  const command = (env['PUBCTL_PAGER'] ?? env['PAGER'] ?? 'less').trim()
  return command === '' || command === 'cat' || env['TERM'] === 'dumb' ? undefined : command
}

/**
 * Prints with a writer whose text goes through a pager if it has more lines than the terminal. Text is kept until that is
 * known. When the user leaves the pager early, the writer is closed, so that nothing more is requested.
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

  const kept: string[] = []
  let lines = 0
  let isLong = false
  let pager: Pager | undefined
  let showWaits = () => {}
  const write = (text: string | Uint8Array, done: (error?: Error | null) => void): unknown => {
    if (isLong) return (pager ?? out.terminal)?.write(text, done)
    kept.push(`${text}`)
    lines += `${text}`.split('\n').length - 1
    // The last line of the terminal is for the prompt of the shell.
    if (lines < rows) return done()
    isLong = true
    pager = open(command)
    // A live line would be drawn over what the pager shows.
    if (pager) showWaits = waiting.showIn(() => undefined)
    return (pager ?? out.terminal)?.write(kept.join(''), done)
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
    if (!isLong) await out.escaped(kept.join(''))
    await pager?.close()
    showWaits()
  }
}
