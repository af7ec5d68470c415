import type { Context } from './context.ts'

/** Whether the result must be JSON: with `--query`, `--json` or `-o ndjson`. */
export const wantsJson = ({ format, options }: Context): boolean =>
  format === 'json' || format === 'ndjson' || options.query !== undefined

/** Whether a terminal shows results as tables or cards with all their columns, so that text may be added below them. */
export const showsFullTable = ({ format, options, out }: Context): boolean =>
  format === 'table' && out.isTerminal && !options.fields && options.query === undefined
