import { bytes } from './formats/bytes.ts'
import { bytesOf, type Format, textOf } from './formats/format.ts'
import { json } from './formats/json.ts'
import type { GivenAnswer } from './service.ts'

/** The command lines that ask the service, of which none needs a file. */
export const commandLines: readonly string[] = [
  'publications list',
  'publications list --all -o csv',
  'publications get pub_1',
  'publications update pub_1 --title T --yes',
  'publications delete pub_1 --yes',
  'editions list pub_1',
  'editions get pub_1 ed_1',
  'assets list',
  'metadata-keys list',
  'domains list',
  'domains get dom_1',
  'reader-instances list',
  'reader-instances get ri_1',
  'reader-users list',
  'reader-users get ru_1',
  'users list',
  'apikeys list',
  'apikeys get key_1',
  'whoami',
  'doctor',
  'analytics scope',
  'analytics popular',
  'analytics popular --trend --to 2026-02',
  'analytics publication pub_1 --granularity month',
  'analytics activity pub_1 --from 2026-03-01 --to 2026-03-31',
  'analytics report --out OUT --readers',
  'catalogue export',
  'catalogue index --refresh',
  'api GET /v1/publications --paginate',
]

const statuses = [200, 201, 204, 301, 307, 400, 401, 403, 404, 409, 413, 429, 500, 502, 503]
const types = ['application/json', 'text/html', 'text/html; charset=utf-8', 'application/problem+json', '']

/** An answer and the command line that gets it: `<command line>`, `<status> <type>`, and the body. */
export function answerIn(input: Buffer): { args: readonly string[]; answer: GivenAnswer } {
  const { line, status, type, body } = partsOf(input)
  return {
    // Nothing else is run, whatever becomes of the first line.
    args: (commandLines.includes(line) ? line : 'publications list').split(' '),
    answer: {
      status: statuses.includes(Number(status)) ? Number(status) : 200,
      headers: type === '' ? {} : { 'content-type': type },
      body: body.toString(),
    },
  }
}

function partsOf(input: Buffer) {
  const text = textOf(input)
  const [, line = '', status = '', type = '', body = ''] = /^([^\n]*)\n(\d*) ?([^\n]*)\n([\s\S]*)$/.exec(
    text,
  ) ?? [0, '', '', '', text]
  return { line, status, type, body: bytesOf(body) }
}

export const writtenAnswer = (line: string, status: number | string, type: string, body: Buffer): Buffer =>
  Buffer.concat([bytesOf(`${line}\n${status} ${type}\n`), body])

/** Answers of the service: the body is changed as JSON, and now and then the status, the type or who asked. */
export const answers: Format = {
  mutate(input, random, other) {
    const { line, status, type, body } = partsOf(input)
    if (random.once(20)) return writtenAnswer(random.pick(commandLines), status, type, body)
    if (random.once(20)) return writtenAnswer(line, random.pick(statuses), type, body)
    if (random.once(40)) return writtenAnswer(line, status, random.pick(types), body)
    const format = random.once(20) ? bytes : json
    return writtenAnswer(line, status, type, format.mutate(body, random, partsOf(other).body))
  },
  *smaller(input) {
    const { line, status, type, body } = partsOf(input)
    if (status !== '200') yield writtenAnswer(line, 200, type, body)
    for (const less of json.smaller(body)) yield writtenAnswer(line, status, type, less)
  },
}
