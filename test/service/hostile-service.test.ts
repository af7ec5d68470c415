import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { files, type Invocation, invocations } from '../support/machine/every-command.ts'
import { machine, type Result, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { answerModes, bigInteger, type Mode, modes } from '../support/servers/hostile-modes.ts'
import { type HostileService, startHostileService } from '../support/servers/hostile-service.ts'

const key = 'canary-hostile-key-0123456789abcdef'

/** A clock whose waits take no time but count as if they did. */
function hastyClock() {
  let skipped = 0
  return {
    ...systemClock,
    now: () => Date.now() + skipped,
    monotonic: () => performance.now() + skipped,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      skipped += milliseconds
      await setImmediate()
      signal?.throwIfAborted()
    },
  }
}

const ids = {
  publication: 'pub_1',
  edition: 'ed_1',
  asset: 'as_1',
  metadataKey: 'mk_1',
  domain: 'dom_1',
  readerInstance: 'ri_1',
  readerUser: 'ru_1',
  apiKey: 'key_1',
  unfinished: '00000000-0000-4000-8000-000000000001',
}

/** Runs every command that talks to the service against it, each with a home of its own. */
async function runEach(
  service: HostileService,
  more: () => string,
  columns: number | undefined,
  check: (invocation: Invocation, result: Result) => void,
) {
  const things = { ...(await files(temporaryFolder())), ...ids }
  writeFileSync(
    things.session,
    JSON.stringify({
      uploadUrl: `${service.url}/put/x?X-Amz-Signature=5ec4e7`,
      requiredHeaders: { 'Content-Type': 'application/epub+zip' },
    }),
  )
  const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: service.url })
  const all = invocations(things).filter(({ isLocal }) => !isLocal)
  // What is no answer to anything is none to every way of calling a command.
  const isFirst = ({ command }: Invocation, index: number) =>
    all.findIndex(each => each.command === command) === index
  const ways = (answerModes as readonly string[]).includes(service.mode) ? all.filter(isFirst) : all
  // Without `npm run check:slow`, neighbouring modes share the commands. The three ways take turns too, and fourteen and three
  // have no common divisor, so that each command meets each way.
  const some = share(ways, 20, modes.indexOf(service.mode))
  // A refusal for the rate costs no attempt, so each command waits until its time is over.
  const timeout = service.mode === 'too many requests' ? '300ms' : '3s'
  for (const invocation of some) {
    const args = [...invocation.args, ...more().split(' '), '--timeout', timeout]
    const result = await run(args, {
      clock: hastyClock(),
      ...(columns === undefined ? {} : { columns }),
    })
    check({ ...invocation, args }, result)
  }
}

/** What must hold of any command, whatever the service does. */
function holds({ args }: Invocation, { code, out, err }: Result, isTerminal: boolean) {
  const seen = { line: args.join(' '), code, err, out: out.slice(0, 2000) }
  expect(seen, 'a fault in pubctl').not.toMatchObject({ code: 1 })
  expect(seen.err, `a stack trace from ${seen.line}`).not.toMatch(
    /^ +at .*[:(]\d+|TypeError|\[object Object\]/m,
  )
  expect(seen.out, `a failed conversion by ${seen.line}`).not.toMatch(
    /\[object Object\]|\bundefined\b|\bNaN\b/,
  )
  expect({
    line: seen.line,
    out: foreignControls(out, isTerminal),
    err: foreignControls(err, isTerminal),
  }).toEqual({
    line: seen.line,
    out: [],
    err: [],
  })
  expect(`${out}${err}`, `the key from ${seen.line}`).not.toContain(key)
  if (code !== 0) expect(err, `no word from ${seen.line}`).not.toBe('')
}

/** Where a command shows one answer as it is: its JSON is that of the answer's resource. */
function showsWhatWasSent({ args, command }: Invocation, { sent }: HostileService, out: string) {
  if (args.includes('--trend')) return
  const isPlain = / (get|list|update|rename|copy|create|restore|scope|popular|publication|activity)$/.test(
    command,
  )
  const answers = sent.splice(0)
  const body = answers[0]?.body
  if (!isPlain || answers.length !== 1 || out === '' || typeof body !== 'object' || body === null) return
  const { item, items, result } = body as Record<string, unknown>
  const isBoth = /^(publications|editions) create$/.test(command)
  const resource = isBoth
    ? { item, result }
    : item !== undefined
      ? item
      : items !== undefined
        ? items
        : result
  const limit = Number(args[args.indexOf('--limit') + 1]) || Number.POSITIVE_INFINITY
  const shown = Array.isArray(items)
    ? items.slice(0, limit)
    : / (list|popular)$/.test(command)
      ? []
      : resource
  expect(JSON.stringify(JSON.parse(out)), args.join(' ')).toBe(JSON.stringify(shown ?? null))
}

type Way = (mode: Mode, service: HostileService) => Promise<void>

const asJson: Way = async (_, service) => {
  await runEach(
    service,
    () => '--json',
    undefined,
    (invocation, result) => {
      holds(invocation, result, false)
      const { out, err, code } = result
      const isInclude = invocation.args.includes('--include')
      if (out !== '') expect(() => JSON.parse(out), invocation.args.join(' ')).not.toThrow()
      const lines = err.split('\n').filter(line => line !== '' && !line.startsWith('{"warning":{'))
      if (code === 0 && !isInclude) expect(lines, invocation.args.join(' ')).toEqual([])
      if (code !== 0) {
        const { error } = JSON.parse(isInclude ? (lines.at(-1) as string) : lines.join('\n'))
        expect(Object.keys(error)).toEqual(
          expect.arrayContaining(['code', 'message', 'status', 'requestId', 'details', 'hint', 'exitCode']),
        )
        expect(error.exitCode).toBe(code)
      }
      showsWhatWasSent(invocation, service, out)
    },
  )
  expect(service.elsewhere.received.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
}

const atTerminal: Way = async (_, service) => {
  await runEach(
    service,
    () => '--verbose',
    80,
    (invocation, result) => holds(invocation, result, true),
  )
  expect(JSON.stringify(service.elsewhere.received)).not.toContain(key)
}

const inOtherFormats: Way = async (mode, service) => {
  const formats = ['-o ndjson', '-o csv', '-o table', '--query @ -q'] as const
  // The formats take turns, another one first in each mode, so that all meet all over the modes.
  let turn = modes.indexOf(mode)
  const format = () => formats[turn++ % formats.length] as (typeof formats)[number]
  await runEach(service, format, undefined, (invocation, result) => {
    holds(invocation, result, false)
    if (invocation.args.includes('ndjson') && result.out)
      for (const line of result.out.trimEnd().split('\n')) JSON.parse(line)
  })
}

const ways: readonly (readonly [string, Way])[] = [
  ['as JSON through a pipe', asJson],
  ['at a terminal', atTerminal],
  ['in every other format', inOtherFormats],
]

describe.each(modes.map((mode, index) => ({ mode, index })))(
  'against a service with $mode',
  ({ mode, index }) => {
    // Without `npm run check:slow`, the ways take turns.
    it.each(isSlow ? ways : [ways[index % ways.length] as (typeof ways)[number]])(
      'every command behaves %s',
      async (_, way) => await way(mode, Object.assign(await startHostileService(), { mode })),
    )
  },
)

describe('an integer beyond a number', () => {
  it.each([{ more: ['--json'] }, { more: ['-o', 'ndjson'] }, { more: ['-o', 'csv'] }, { more: [] }])(
    'is shown digit by digit with $more',
    async ({ more }) => {
      const service = Object.assign(await startHostileService(), {
        mode: 'integers beyond a number' as const,
      })
      const { run } = machine({ PUBCTL_API_KEY: key, PUBCTL_BASE_URL: service.url })
      expect((await run(['analytics', 'popular', ...more])).out).toContain(bigInteger)
      expect((await run(['assets', 'list', '--query', '[0].filesize', '--json'])).out).toBe(`${bigInteger}\n`)
    },
  )
})
