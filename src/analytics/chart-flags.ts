import type { Command } from '@commander-js/extra-typings'
import type { Context } from '../cli/context.ts'
import { UsageFailure } from '../system/errors.ts'

/** Adds --chart and --no-chart to a command that can draw its result. */
export const withChartFlags = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .option('--chart', 'draw a picture even if the output is not a terminal')
    .option('--no-chart', 'print a table at a terminal too, as -o table does')

/**
 * Whether the result is drawn: at a terminal, unless a format, `--fields` or `--query` asks for something else. Throws
 * UsageFailure if `--chart` is given together with one of those.
 */
export function drawsChart(
  { options, format, out }: Pick<Context, 'options' | 'format' | 'out'>,
  isWanted: boolean | undefined,
): boolean {
  const other =
    format !== 'table'
      ? options.json
        ? '--json'
        : `-o ${format}`
      : options.fields
        ? '--fields'
        : options.query === undefined
          ? undefined
          : '--query'
  if (isWanted && other !== undefined) {
    throw new UsageFailure(`--chart draws a picture, so it cannot be used with ${other}`, {
      hint: 'Leave one of them out.',
    })
  }
  return isWanted ?? (out.isTerminal && options.output === undefined && other === undefined)
}
