/** A fault that is planted, the reader that meets it, and what is found of it. */
interface Plant {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly by: string
  readonly reader: string
  readonly kind: string
  /** The most bytes of the smallest input. */
  readonly most: number
}

/** Each is found from a fixed seed, or the fuzzer finds nothing. */
export const plants: readonly Plant[] = [
  {
    name: 'a session that is no object',
    file: 'src/uploads/unfinished/session-file.ts',
    text: `isObject(value) && 'result' in value`,
    by: `'result' in (value as object)`,
    reader: 'session',
    kind: 'fault',
    most: 4,
  },
  {
    name: 'a title that is written from right to left',
    file: 'src/cli/output/neutralise.ts',
    text: '\\\\u2028-\\\\u202e',
    by: '\\\\u2028-\\\\u2029',
    reader: 'answer',
    kind: 'control',
    most: 120,
  },
  {
    name: 'an answer that repeats the key',
    file: 'src/cli/output/secrets.ts',
    text: 'const minLength = 8\n',
    by: 'const minLength = 800\n',
    reader: 'answer',
    kind: 'secret',
    most: 120,
  },
  {
    name: 'a page that leads to itself',
    file: 'src/commands/api.ts',
    text: 'if (tokens.has(token)) throw sameTokenAgain()',
    by: '',
    reader: 'answer',
    kind: 'hang',
    most: 120,
  },
]
