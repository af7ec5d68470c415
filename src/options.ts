import { UsageFailure } from './errors.ts'
import type { Format } from './output/view.ts'

/** The options that every command takes, as the command line gave them. */
export interface GlobalOptions {
  profile?: string
  baseUrl?: string
  apiKeyFile?: string
  output?: Format
  json?: boolean
  fields?: string[]
  query?: string
  quiet?: boolean
  verbose?: boolean
  color?: 'auto' | 'always' | 'never'
  /** False after `--no-input`. */
  input?: boolean
  yes?: boolean
  dryRun?: boolean
  /** Milliseconds. */
  timeout?: number
}

/** The chosen output format. */
export const formatOf = ({ json, output }: GlobalOptions): Format => (json ? 'json' : (output ?? 'table'))

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `30s`, `10m`, `1h30m`, `500ms` or a bare number of seconds, as milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)?/g)]
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text
  const hasUnits = parts.length === 1 || parts.every(([, , unit]) => unit !== undefined)
  const total = parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 's'] as number),
    0,
  )
  if (!isWhole || !hasUnits || total <= 0 || total > 7 * 24 * 3_600_000) {
    throw new UsageFailure(`"${text}" is not a duration`, {
      hint: 'Write it like 30s, 10m or 1h30m; a week is the most.',
    })
  }
  return total
}

/** Splits `a,b.c` and adds it to what earlier options named. */
export function parseList(text: string, earlier: string[] = []): string[] {
  const names = text.split(',').map(name => name.trim())
  if (names.some(name => name === '')) {
    throw new UsageFailure(`"${text}" has an empty name in it`, {
      hint: 'Separate names with single commas.',
    })
  }
  return [...earlier, ...names]
}
