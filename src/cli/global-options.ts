import { type Command, Option } from '@commander-js/extra-typings'
import { version } from '../system/version.ts'
import { parseDuration, parseList } from './option-types.ts'

/** Declares the options that every command takes, including --version and --help. */
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
    .option(
      '--envelope',
      'with --json, print a list as {items, next}; next has the commands that continue it',
    )
    .option('--query <jmespath>', 'print what a JMESPath expression selects from the result')
    .option('--exit-status', 'with --query: end with 15 if that selects null, false or an empty list')
    .option('-q, --quiet', 'print nothing but the result')
    .option('--progress', 'at a terminal, show progress in JSON formats as well')
    .option('-v, --verbose', 'show requests on standard error, without secrets')
    .addOption(new Option('--color <when>', 'whether to use colour').choices(['auto', 'always', 'never']))
    .option('--no-pager', 'print long tables at once, even at a terminal')
    .optionsGroup('Behaviour:')
    .option('--no-input', 'never ask; fail if an answer is needed')
    .option('-y, --yes', 'answer every question with yes')
    .option('--dry-run', 'print the requests that would change something, and send none of them')
    .option('--timeout <duration>', 'the longest wait, such as 30s or 10m', parseDuration)
    .optionsGroup('Help:')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
