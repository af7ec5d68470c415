import { isNamedIn } from './cli/output/named.ts'
import { neutraliseJson, neutraliseLine } from './cli/output/neutralise.ts'
import { openWriters } from './cli/output/open-writers.ts'
import { wrap } from './cli/output/wrap.ts'
import { runProgram } from './program.ts'
import { checkersSentence } from './system/checked-by.ts'
import { asFailure, type ExitCode, exitCodes, Failure } from './system/errors.ts'
import { given } from './system/given.ts'
import type { World } from './system/world.ts'

export { Interrupted } from './system/errors.ts'
export { realWorld } from './system/world.ts'

/**
 * Runs a command line and returns its exit code. The only place that prints failures and turns them into exit codes; `run` may
 * be what failed in place of the command line.
 */
export async function main(
  argv: readonly string[],
  world: World,
  run = (): Promise<void> => runProgram(argv, world, main),
): Promise<ExitCode> {
  try {
    await run()
    return exitCodes.done
  } catch (error) {
    const failure = failureOf(error, world.signal)
    await printFailure(failure, argv, world)
    return failure.exitCode
  }
}

function failureOf(error: unknown, { reason }: AbortSignal): Failure {
  if (!(error instanceof Failure)) return asFailure(error)
  // After the terminal was closed, writing fails, too. The command ended because of the signal.
  return error.code === 'output_unwritable' && reason instanceof Failure ? reason : error
}

async function printFailure(failure: Failure, argv: readonly string[], world: World): Promise<void> {
  const { err } = openWriters(world, { color: colourOf(argv) })
  if (wantsJson(argv)) {
    const { code, message, status = null, requestId = null, details = null, hint = null, exitCode } = failure
    const { checkedBy } = failure
    const error = { code, message, status, requestId, details, hint, exitCode, ...given({ checkedBy }) }
    await err.json(`${neutraliseJson(JSON.stringify({ error }))}\n`)
  } else {
    const [first, ...further] = wrap(`error: ${neutraliseLine(failure.message)}`, err.width).split('\n')
    const lines = [`${err.paint('red', 'error:')}${first?.slice(6)}`, ...further]
    const addLine = (text: string, indent = '  ') => void lines.push(wrap(indent + text, err.width, indent))
    const details = failure.details ?? []
    const hints = [...details, failure].flatMap(({ hint }) => hint ?? [])
    const isOfOne = (hint: string) => hints.filter(each => each === hint).length === 1
    for (const { message, path, flag, hint } of details) {
      // In a sheet the path is a row and a column. In a request it is a path of fields.
      const where = path?.join(/ /.test(`${path[0]}`) ? ', ' : '.')
      const place = [flag, where && `${flag ? '(' : ''}${where}${flag ? ')' : ''}`].filter(Boolean).join(' ')
      addLine(
        `${place && !isNamedIn(message, place) ? `${neutraliseLine(place)}: ` : ''}${neutraliseLine(message)}`,
      )
      if (hint !== undefined && isOfOne(hint)) addLine(neutraliseLine(hint), '    ')
    }
    for (const sentence of checkersSentence([failure])) addLine(neutraliseLine(sentence))
    if (failure.requestId) addLine(`request id: ${neutraliseLine(failure.requestId)}`)
    // Many items of a batch have the same hint, which is said once.
    const shared = new Set(hints.filter(hint => hint === failure.hint || !isOfOne(hint)))
    for (const hint of shared) addLine(neutraliseLine(hint))
    await err.styled(`${lines.join('\n')}\n`)
  }
  if (world.env['PUBCTL_DEBUG'] && failure.code === 'fault' && failure.cause instanceof Error) {
    await err.write(`${failure.cause.stack}\n`)
  }
}

/** The value of `--color`. The arguments are not parsed, because parsing them may be what failed. */
function colourOf(argv: readonly string[]): 'auto' | 'always' | 'never' {
  const values = optionsOf(argv).flatMap((word, index, all) =>
    word === '--color' ? [all[index + 1]] : word.startsWith('--color=') ? [word.slice(8)] : [],
  )
  const last = values.at(-1)
  return last === 'always' || last === 'never' ? last : 'auto'
}

/** Whether to print failures as JSON. The arguments are not parsed, because parsing them may be what failed. */
function wantsJson(argv: readonly string[]): boolean {
  return optionsOf(argv).some(
    (word, index, all) =>
      word === '--json' ||
      /^(--output=|-[qvy]*o=?)(nd)?json$/.test(word) ||
      (/^(-[qvy]*o|--output)$/.test(word) && /^(nd)?json$/.test(all[index + 1] ?? '')),
  )
}

/** The arguments before `--`. */
function optionsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}
