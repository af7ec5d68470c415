import { type Command, Option } from '@commander-js/extra-typings'
import { UsageFailure } from './errors.ts'
import type { Format } from './output/view.ts'
import { version } from './version.ts'

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

/** Declares them, and adds the version and the help. */
export const withGlobalOptions = (root: Command) =>
  root
    .optionsGroup('Service:')
    .option('-p, --profile <name>', 'the profile to use; "sandbox" is built in')
    .option('--base-url <url>', 'the address of the service')
    .option('--api-key-file <file>', 'read the key from a file, or from standard input with -')
    .optionsGroup('Output:')
    .addOption(
      new Option('-o, --output <format>', 'how to print results').choices(['table', 'json', 'ndjson', 'csv']),
    )
    .option('--json', 'short for -o json')
    .option('--fields <names>', 'only these fields, separated by commas', parseList)
    .option('--query <jmespath>', 'what a JMESPath expression finds in the result')
    .option('-q, --quiet', 'print nothing but the result')
    .option('-v, --verbose', 'show requests on standard error, without secrets')
    .addOption(new Option('--color <when>', 'whether to use colour').choices(['auto', 'always', 'never']))
    .optionsGroup('Behaviour:')
    .option('--no-input', 'never ask; fail where an answer is needed')
    .option('-y, --yes', 'answer yes to what would be asked')
    .option('--dry-run', 'print the requests that would change something, and send none of them')
    .option('--timeout <duration>', 'the longest wait: 30s, 10m', parseDuration)
    .optionsGroup('Help:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')

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
function parseList(text: string, earlier: string[] = []): string[] {
  const names = text.split(',').map(name => name.trim())
  if (names.some(name => name === '')) {
    throw new UsageFailure(`"${text}" has an empty name in it`, {
      hint: 'Separate names with single commas.',
    })
  }
  return [...earlier, ...names]
}
