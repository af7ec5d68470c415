import { exitCodes, exitMeanings } from '../errors.ts'

/** Something worth reading that belongs to no single command. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly sections: readonly Section[]
}

interface Section {
  readonly heading: string
  readonly text?: string
  /** Terms and what they mean. */
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
            'where pubctl keeps its files, in place of the XDG folders; absolute paths',
          ],
          [
            'PUBCTL_MULTI_VALUE',
            'repeat or comma: how parameters with several values travel where no profile says so',
          ],
          ['PUBCTL_KEYCHAIN', 'off keeps keys in the file of profiles and out of the system keychain'],
          [
            'PUBCTL_SANDBOX_DELAY',
            'how long each processing step takes in the embedded sandbox, such as 0.1s',
          ],
          [
            'PUBCTL_SANDBOX_FAULTS',
            'what goes wrong on purpose in the sandbox, separated by commas, such as 503=0.1,slow=2s',
          ],
          ['PUBCTL_DEBUG', 'shows where in pubctl a fault happened'],
          [
            'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY',
            'the proxy to go through, chosen as curl does; the sandbox never goes through one',
          ],
          ['NODE_EXTRA_CA_CERTS', 'a file with further certificate authorities'],
          ['NO_COLOR, FORCE_COLOR', 'no colour, or colour also where the output is no terminal'],
          ['CI', 'never ask a person'],
        ],
      },
      {
        heading: 'Which key and address are used',
        text: 'A flag beats the environment, and the environment beats the profile. An explicit --profile beats PUBCTL_API_KEY. A profile\'s key goes to that profile\'s address only: another --base-url or PUBCTL_BASE_URL needs a key of its own. A variable of pubctl that is set but empty is an error. "pubctl whoami" says what is in force.',
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
        text: 'With --json or -o ndjson a failure is one line on standard error: {"error":{"code","message","status","requestId","details","hint","exitCode"}}. Its code is the service\'s own where it gave one, in capitals, and else one of pubctl\'s, in lower case.',
      },
    ],
  },
  {
    name: 'formatting',
    summary: 'How results are printed, and how to choose what is',
    sections: [
      {
        heading: 'Formats',
        text: 'Results go to standard output; progress, notes, warnings and errors go to standard error.',
        terms: [
          ['at a terminal', 'a table, or a card for one resource; long cells are cut with …'],
          [
            'in a pipe',
            'the same columns as tab-separated lines, uncut and without a header; \\t, \\n and \\\\ stand for a tab, a line feed and a backslash',
          ],
          [
            '--json, -o json',
            'what the service sent, untouched: an object for one resource, one array for a list',
          ],
          ['-o ndjson', 'a line of JSON for each item, as pages arrive'],
          ['-o csv', 'a header and rows; a cell that a spreadsheet would run is defused'],
        ],
      },
      {
        heading: 'Choosing',
        terms: [
          ['--fields publicationId,title', 'these fields or columns only, in every format'],
          [
            '--query "[].title"',
            'what a JMESPath expression finds (jmespath.org): a value a line, or JSON with --json; with -o ndjson each item is asked',
          ],
          ['--limit 200, --all', 'how much of a list; 50 items without either'],
        ],
      },
      {
        heading: 'Colour',
        text: 'There is colour at a terminal only, unless --color always or FORCE_COLOR asks for it; --color never and NO_COLOR turn it off. Control characters in what the service sends are shown as escapes, such as \\u001b, and never reach the terminal.',
      },
    ],
  },
]
