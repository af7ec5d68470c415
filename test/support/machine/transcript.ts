import headless from '@xterm/headless'
import { canary } from './canary.ts'
import './plain-snapshots.ts'
import { systemClock } from '../../../src/system/world.ts'
import { json, type Received, serve } from '../servers/server.ts'
import { machine, type Options, type Result } from './pubctl.ts'
import { pipelineOf } from './shell-words.ts'

/** What the service answers: the fields of a success, or a failure that `refused` describes. */
type Reply = object | ((request: Received) => object)

interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

/** An answer that is a failure. */
export const refused = (status: number, error: string, message: string): Refusal => ({
  status,
  error,
  message,
})

const isRefusal = (reply: object): reply is Refusal => 'status' in reply && 'error' in reply

/**
 * A machine at a service that answers each route ("GET /v1/domains", with its query where that matters) as is said here and every
 * other one with 404; without routes, no service is set up. `type` runs command lines and gives, as text, what a person and the service saw of them:
 *
 *     $ pubctl domains list           the command line
 *     > GET /v1/domains               a request, with its body
 *     dom_1⇥reader.example.org        standard output, whose tabs are shown as ⇥
 *     ! warning: …                    standard error
 *     exit 5                          the exit code, unless it is 0
 *
 * At a terminal, output is what its screen shows in the end. Paths and addresses differ in length from run to run, and with
 * them what is beside or below them in a narrow one: give it 200 columns, or leave their fields out.
 */
export async function transcriptOf(routes?: Record<string, Reply>, env: Record<string, string> = {}) {
  const { url, received } = await serve((request, response) => {
    const path = `${request.method} ${request.url}`
    const route = routes?.[path] ?? routes?.[path.split('?')[0] ?? ''] ?? missing
    const reply = typeof route === 'function' ? route(request) : route
    const context = { requestId: 'req_1' }
    if (!isRefusal(reply)) return json(response, 200, { context, ...reply })
    const { status, ...body } = reply
    json(response, status, { context, ...body })
  })
  const own = machine({ ...(routes ? { PUBCTL_API_KEY: canary, PUBCTL_BASE_URL: url } : {}), ...env })

  /** Runs one command line after the other, each as a person writes it. */
  async function type(lines: string | readonly string[], options: Options = {}): Promise<string> {
    const blocks: string[] = []
    for (const line of [lines].flat()) {
      const before = received.length
      const [words = []] = pipelineOf(line.replaceAll('~', own.home))
      const result = await own.run(words.slice(1), { ...options, clock: noonClock() })
      const requests = received.slice(before).map(shownRequest)
      blocks.push([`$ ${line}`, ...requests, ...(await shownResult(result, options.columns))].join('\n'))
    }
    const text = withoutHome(blocks.join('\n\n').replaceAll(url, 'http://service'), own.home)
    return withoutNewIds(text, [lines].flat())
  }

  /**
   * The same for one command line at a terminal, where a person answers each question with its keys. Whether a path begins a
   * line of its own depends on how long it is; here it never does.
   */
  const answer = async (line: string, ...answers: NonNullable<Options['answers']>) =>
    (await type(line, { columns: 80, answers })).replaceAll(/\n! (?=~\/)/g, ' ')
  return { ...own, url, received, type, answer }
}

/**
 * A text in which the home is `~`. On Windows, the backslashes below it are slashes; in JSON they are doubled, and in a cell of a pipe
 * again. Its terminal has another tick.
 */
function withoutHome(text: string, home: string): string {
  if (process.platform !== 'win32') return text.replaceAll(home, '~')
  const names = home.split('\\').map(name => name.replace(/[.*+?^${}()|[\]]/g, '\\$&'))
  return text
    .replaceAll(
      new RegExp(`${names.join(String.raw`\\+`)}([\\w.\\\\-]*)`, 'g'),
      (_, below: string) => `~${below.replace(/\\+/g, '/')}`,
    )
    .replaceAll('√', '✔')
}

/** A clock that stands at noon of one day, on which sleeping takes no time. */
function noonClock() {
  let ahead = 0
  return {
    ...systemClock,
    now: () => Date.UTC(2026, 2, 5, 12) + ahead,
    monotonic: () => ahead,
    async sleep(milliseconds: number) {
      ahead += Math.ceil(milliseconds)
    },
  }
}

const missing = refused(404, 'EMPTY_RESPONSE', 'There is none.')

/** A text in which each UUID that pubctl made, since no command line names it, is a number. */
function withoutNewIds(text: string, lines: readonly string[]): string {
  const made: string[] = []
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, id => {
    if (lines.some(line => line.includes(id))) return id
    if (!made.includes(id)) made.push(id)
    return `(id ${made.indexOf(id) + 1})`
  })
}

/** A request in a line; of the body that is no JSON, how long it is. */
function shownRequest({ method, url, headers, body }: Received): string {
  const isJson = headers['content-type'] === 'application/json'
  return `> ${method} ${url} ${isJson || body.length === 0 ? body : `(${body.length} bytes)`}`.trimEnd()
}

async function shownResult({ code, out, err }: Result, columns: number | undefined): Promise<string[]> {
  const shown = columns === undefined ? linesOf : (text: string) => screenOf(text, columns)
  return [...(await shown(out)), ...(await shown(err)).map(line => `! ${line}`.trimEnd()), ...exitOf(code)]
}

const exitOf = (code: number): string[] => (code === 0 ? [] : [`exit ${code}`])

/** The lines of a text; a last one that has no end says so. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll('\t', '⇥').split('\n')
  const last = lines.pop()
  return last ? [...lines, `${last}(no newline)`] : lines
}

/** The lines that a terminal shows in the end. */
async function screenOf(text: string, columns: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows: 200, allowProposedApi: true })
  await new Promise<void>(resolve => terminal.write(text.replaceAll(/\r?\n/g, '\r\n'), resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, index) =>
    active.getLine(index)?.translateToString(true),
  )
  return lines
    .map(line => line ?? '')
    .join('\n')
    .trimEnd()
    .split('\n')
    .filter((line, _, all) => line !== '' || all.length > 1)
}
