import { exitCodes, exitMeanings } from '../system/errors.ts'
import { shardSystems } from './shard-systems.ts'

/** A page of help that is about no single command. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly sections: readonly Section[]
}

interface Section {
  readonly heading: string
  readonly text?: string
  /** Terms and their meanings. */
  readonly terms?: readonly (readonly [string, string])[]
}

export const topics: readonly Topic[] = [
  {
    name: 'environment',
    summary: 'The environment variables that pubctl reads',
    sections: [
      {
        heading: 'Variables',
        terms: [
          ['PUBCTL_API_KEY, PUBCTL_BASE_URL, PUBCTL_PROFILE', 'the key, the address, the profile'],
          [
            'PUBCTL_CONFIG_DIR, PUBCTL_DATA_DIR, PUBCTL_CACHE_DIR',
            'where pubctl keeps its files, instead of the XDG folders; absolute paths',
          ],
          [
            'PUBCTL_MULTI_VALUE',
            'repeat or comma: how parameters with several values are sent, if the profile does not say',
          ],
          ['PUBCTL_KEYCHAIN', 'off stores keys in the file of profiles, not in the system keychain'],
          [
            'PUBCTL_SANDBOX_DELAY',
            'how long each processing step takes in the embedded sandbox, such as 0.1s',
          ],
          [
            'PUBCTL_SANDBOX_FAULTS',
            'faults that the embedded sandbox makes, separated by commas, such as 503=0.1,slow=2s',
          ],
          ['PUBCTL_DATABASE_URL', 'the PostgreSQL database of a queue, with its password if it needs one'],
          [
            'PGPASSWORD, PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY',
            'the password of that database and TLS to it, as in libpq',
          ],
          ['PUBCTL_DEBUG', 'shows where in the source a fault happened'],
          [
            'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY',
            'the proxy to use, chosen as curl does; never used for the sandbox',
          ],
          ['NODE_EXTRA_CA_CERTS', 'a file with further certificate authorities'],
          [
            'LC_ALL, LC_CTYPE, LANG, TERM',
            'pictures are of ASCII unless the locale is UTF-8, and always if TERM is linux or dumb',
          ],
          ['COLUMNS', 'the width of a picture that --chart draws into a pipe; 80 if it is not set'],
          ['NO_COLOR, FORCE_COLOR', 'no colour, or colour even if the output is not a terminal'],
          [
            'PUBCTL_PAGER, PAGER',
            'the program that long tables go through at a terminal; less if none is set, cat for none',
          ],
          ['FORCE_HYPERLINK', '1 to make addresses in tables links, 0 for none; else the terminal decides'],
          ['CI', 'never ask questions'],
          ['GITHUB_STEP_SUMMARY', 'the file that --summary adds to, set by GitHub Actions'],
          ...shardSystems.map(({ name, index, total }): [string, string] => [
            total === undefined ? index : `${index}, ${total}`,
            `which shard "--shard auto" is, in ${name}`,
          ]),
        ],
      },
      {
        heading: 'Which key and address are used',
        text: 'A flag beats the environment, and the environment beats the profile. An explicit --profile beats PUBCTL_API_KEY. A profile\'s key is only sent to that profile\'s address: another --base-url or PUBCTL_BASE_URL needs its own key. A variable of pubctl that is set but empty is an error. "pubctl whoami" shows what is used.',
      },
    ],
  },
  {
    name: 'exit-codes',
    summary: 'What the exit code of a command says',
    sections: [
      {
        heading: 'Exit codes',
        terms: Object.entries(exitCodes).map(([name, code]) => [
          String(code),
          exitMeanings[name as keyof typeof exitCodes],
        ]),
      },
      {
        heading: 'Failures for scripts',
        text: 'With --json or -o ndjson a failure is one line on standard error: {"error":{"code","message","status","requestId","details","hint","exitCode"}}. Codes in capitals come from the service, codes in lower case from pubctl.',
      },
    ],
  },
  {
    name: 'formatting',
    summary: 'Output formats, and how to choose items and fields',
    sections: [
      {
        heading: 'Formats',
        text: 'Results go to standard output; progress, notes, warnings and errors go to standard error. JSON formats have no notes, and progress only at a terminal and with --progress.',
        terms: [
          [
            'at a terminal',
            'a table, or a card for one resource; long cells are cut with …. What is read is drawn, unless --no-chart or -o table is given',
          ],
          [
            'in a pipe',
            'the same columns as tab-separated lines, uncut and without a header; \\t, \\n and \\\\ stand for a tab, a line feed and a backslash',
          ],
          [
            '--json, -o json',
            'what the service sent, untouched: an object for one resource, one array for a list',
          ],
          ['-o ndjson', 'one JSON object a line, printed as the pages arrive'],
          [
            '-o csv',
            'a header and rows; cells that a spreadsheet would run as a formula begin with an apostrophe',
          ],
        ],
      },
      {
        heading: 'Choosing',
        terms: [
          ['--fields publicationId,title', 'only these fields or columns, in every format'],
          [
            '--query "[].title"',
            'the result of a JMESPath expression (jmespath.org): one value a line, or JSON with --json; with -o ndjson, for each item',
          ],
          [
            '--limit 200, --all',
            'how many items; 50 publications or reader instances without either, and everything of other lists',
          ],
        ],
      },
      {
        heading: 'Colour',
        text: 'There is colour at a terminal only, unless --color always or FORCE_COLOR asks for it; --color never and NO_COLOR turn it off. Control characters in what the service sends are shown as escapes, such as \\u001b, and never reach the terminal.',
      },
    ],
  },
]
