import { openWriters } from './context.ts'
import { type ExitCode, exitCodes, Failure } from './errors.ts'
import { isNamedIn } from './output/named.ts'
import { neutraliseJson, neutraliseLine } from './output/neutralise.ts'
import { wrap } from './output/wrap.ts'
import { runProgram } from './program.ts'
import type { World } from './world.ts'

export { Interrupted } from './errors.ts'
export { realWorld } from './world.ts'

/** Runs one command line; whatever goes wrong becomes words on stderr and an exit code here, and nowhere else. */
export async function main(argv: readonly string[], world: World): Promise<ExitCode> {
  try {
    await runProgram(argv, world)
    return exitCodes.done
  } catch (error) {
    const failure = failureOf(error, world.signal)
    await tell(failure, argv, world)
    return failure.exitCode
  }
}

function failureOf(error: unknown, { reason }: AbortSignal): Failure {
  if (!(error instanceof Failure)) return faultOf(error)
  // Once the terminal was closed nothing can be printed on it, which is not what ended the command.
  return error.code === 'output_unwritable' && reason instanceof Failure ? reason : error
}

/** A failure nobody foresaw: the person gets one sentence, and the trace only on asking for it. */
function faultOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return new Failure(`this is a fault in pubctl: ${message}`, {
    code: 'fault',
    exitCode: exitCodes.fault,
    hint: 'Please report it with the command you ran; PUBCTL_DEBUG=1 shows where it happened.',
    cause: error,
  })
}

async function tell(failure: Failure, argv: readonly string[], world: World): Promise<void> {
  const { err } = openWriters(world, { color: colourOf(argv) })
  if (wantsJson(argv)) {
    const { code, message, status = null, requestId = null, details = null, hint = null, exitCode } = failure
    const error = { code, message, status, requestId, details, hint, exitCode }
    await err.json(`${neutraliseJson(JSON.stringify({ error }))}\n`)
  } else {
    const [first, ...further] = wrap(`error: ${neutraliseLine(failure.message)}`, err.width).split('\n')
    const lines = [`${err.paint('red', 'error:')}${first?.slice(6)}`, ...further]
    const tell = (text: string) => void lines.push(wrap(`  ${text}`, err.width, '  '))
    for (const { message, path, flag } of failure.details ?? []) {
      // A place in a catalogue is a row and a column, one in a request a field within a field.
      const where = path?.join(/ /.test(`${path[0]}`) ? ', ' : '.')
      const place = [flag, where && `${flag ? '(' : ''}${where}${flag ? ')' : ''}`].filter(Boolean).join(' ')
      tell(
        `${place && !isNamedIn(message, place) ? `${neutraliseLine(place)}: ` : ''}${neutraliseLine(message)}`,
      )
    }
    if (failure.requestId) tell(`request id: ${neutraliseLine(failure.requestId)}`)
    if (failure.hint) tell(neutraliseLine(failure.hint))
    await err.styled(`${lines.join('\n')}\n`)
  }
  if (world.env['PUBCTL_DEBUG'] && failure.code === 'fault' && failure.cause instanceof Error) {
    await err.write(`${failure.cause.stack}\n`)
  }
}

/** What `--color` says, read as it stands for the same reason. */
function colourOf(argv: readonly string[]): 'auto' | 'always' | 'never' {
  const said = optionsOf(argv).flatMap((word, index, all) =>
    word === '--color' ? [all[index + 1]] : word.startsWith('--color=') ? [word.slice(8)] : [],
  )
  const last = said.at(-1)
  return last === 'always' || last === 'never' ? last : 'auto'
}

/** Whether failures are to be JSON. The arguments are read as they are, since parsing them may be what failed. */
function wantsJson(argv: readonly string[]): boolean {
  return optionsOf(argv).some(
    (word, index, all) =>
      word === '--json' ||
      /^(--output=|-[qvy]*o=?)(nd)?json$/.test(word) ||
      (/^(-[qvy]*o|--output)$/.test(word) && /^(nd)?json$/.test(all[index + 1] ?? '')),
  )
}

/** The arguments as far as they can be options. */
function optionsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}
