import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAsk } from '../../src/cli/output/ask.ts'
import { createPresenter } from '../../src/cli/output/present.ts'
import { createProgress } from '../../src/cli/output/progress.ts'
import type { Format, View } from '../../src/cli/output/view.ts'
import { createWriter } from '../../src/cli/output/writer.ts'
import { systemClock } from '../../src/system/world.ts'
import { anyText } from '../support/machine/any-text.ts'
import { isSlow } from '../support/machine/slow.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { controls } from '../support/servers/hostile-modes.ts'
import { records } from '../support/servers/hostile-records.ts'

/** Texts made to be obeyed by a terminal, to break out of a line or a cell, or to be read as something else. */
const hostile = fc.oneof(
  anyText,
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map(codes => String.fromCharCode(...codes)),
  fc.constantFrom(
    controls,
    '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
    '\u001b]52;c;aGVsbG8=\u0007',
    '\u001b[31mred\u001b[39m',
    '\u001b]0;unterminated',
    '\u001bP+q544e\u001b\\',
    '\u009b31m\u009d0;x\u009c',
    'a\rb\bc\u0007',
    '\u202egnp.exe',
    '\ud800',
    'two\nlines\r\nthree\tcells\u0085four\u2028five\u000bsix',
    '=1+1',
    ' =cmd|x',
    '"=1',
  ),
)

function screen(columns?: number) {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  const isTTY = columns !== undefined
  const terminal = isTTY ? { isTTY, columns } : {}
  const writer = createWriter(Object.assign(stream, terminal), isTTY)
  return { writer, shown: () => text }
}

/** The dotted names of every value in a record, in the way a view names its columns. */
function fieldsIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(each => fieldsIn(each, prefix))
  if (typeof value !== 'object' || value === null) return [prefix]
  return Object.entries(value).flatMap(([name, each]) => fieldsIn(each, prefix ? `${prefix}.${name}` : name))
}

/** The same record with a hostile text in place of every text in it. */
const withText = (value: unknown, next: () => string): unknown =>
  Array.isArray(value)
    ? value.map(each => withText(each, next))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withText(each, next)]))
      : typeof value === 'string'
        ? next()
        : value

const resources = Object.entries(records).map(([resource, record]) => ({ resource, record }))
const viewOf = (record: unknown): View => {
  const fields = [...new Set(fieldsIn(record))]
  return { columns: fields.map(field => ({ field })), fields: () => new Set(fields), empty: 'none' }
}

/** Shows a record and a list of it in a format, and gives what was written. */
async function show(record: unknown, view: View, format: Format, columns?: number) {
  const [one, many] = [screen(columns), screen(columns)]
  await createPresenter(one.writer, { format }).item(view, record)
  await createPresenter(many.writer, { format }).list(view, [[record, record]])
  return { one: one.shown(), many: many.shown() }
}

const numRuns = isSlow ? 30 : 10

describe.each(resources)('every text of a $resource', ({ record }) => {
  const view = viewOf(record)
  const filled = fc.array(hostile, { minLength: 1, maxLength: 6 }).map(texts => {
    let turn = 0
    return withText(record, () => texts[turn++ % texts.length] as string)
  })

  it('reaches a terminal without a control character, as a table, a card, JSON and CSV', async () => {
    await fc.assert(
      fc.asyncProperty(filled, async value => {
        for (const format of ['table', 'json', 'ndjson', 'csv'] as const) {
          const { one, many } = await show(value, view, format, 100)
          expect({ format, one: foreignControls(one, true), many: foreignControls(many, true) }).toEqual({
            format,
            one: [],
            many: [],
          })
        }
      }),
      { numRuns },
    )
  })

  it('leaves JSON that is the same value, through a pipe and at a terminal', async () => {
    await fc.assert(
      fc.asyncProperty(filled, async value => {
        const same = JSON.parse(JSON.stringify(value))
        for (const columns of [undefined, 80]) {
          const { one, many } = await show(value, view, 'json', columns)
          expect(JSON.parse(one)).toEqual(same)
          expect(JSON.parse(many)).toEqual([same, same])
          const lines = (await show(value, view, 'ndjson', columns)).many.trimEnd().split('\n')
          expect(lines.map(line => JSON.parse(line))).toEqual([same, same])
        }
      }),
      { numRuns },
    )
  })

  it('stays on its line and in its cell through a pipe', async () => {
    await fc.assert(
      fc.asyncProperty(filled, async value => {
        const { many } = await show(value, view, 'table')
        expect(foreignControls(many, false)).toEqual([])
        const lines = many.split('\n')
        expect(lines).toHaveLength(3)
        expect(lines.slice(0, 2).map(line => line.split('\t').length)).toEqual([
          view.columns.length,
          view.columns.length,
        ])
      }),
      { numRuns },
    )
  })
})

describe('the writer', () => {
  it('lets no control character through, whichever way a text comes to it', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const [coloured, plain] = [screen(80), screen()]
        await coloured.writer.write(text)
        await coloured.writer.styled(`${coloured.writer.paint('red', 'error:')} ${text}`)
        await plain.writer.styled(`${text}\u001b[31mred\u001b[39m`)
        expect(foreignControls(coloured.shown(), true)).toEqual([])
        expect(foreignControls(plain.shown(), false)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a text that holds a colour of our own, lines and cells', () => {
  const record = { text: '\u001b[31mred\tand\nblue\\' }
  const view = viewOf(record)

  it('colours nothing and stays on one line at a terminal', async () => {
    const { one, many } = await show(record, view, 'table', 80)
    const head = many.split('\n')[0]
    expect(one).toBe('\u001b[2mtext  \u001b[22m\\u001b[31mred and blue\\\n')
    expect(many).toBe(`${head}\n${'\\u001b[31mred and blue\\\n'.repeat(2)}`)
  })

  it('can be read back from a line of a pipe', async () => {
    expect((await show(record, view, 'table')).one).toBe('\\u001b[31mred\\tand\\nblue\\\\\n')
  })
})

describe('what a log or a person is told', () => {
  it('keeps file names and states of a progress on one line', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (file, state) => {
        const { writer, shown } = screen()
        const progress = createProgress(writer, systemClock)
        progress.sending(file, 100)
        progress.state(state)
        progress.stop()
        await new Promise(setImmediate)
        expect(foreignControls(shown(), false)).toEqual([])
        expect(shown().split('\n').length).toBeLessThanOrEqual(3)
      }),
      { numRuns: 200 },
    )
  })

  it('redraws a progress at a terminal without a foreign sequence', async () => {
    for (const file of [controls, '\u001b]8;;https://evil.example\u0007x', 'x'.repeat(500)]) {
      const { writer, shown } = screen(60)
      Object.assign(writer.terminal ?? {}, {
        cursorTo: () => true,
        clearLine: () => true,
        moveCursor: () => true,
      })
      const progress = createProgress(writer, systemClock)
      progress.sending(file, 100)
      progress.sent(50)
      await expect.poll(shown).toMatch(/50 of|░/)
      progress.state(file)
      progress.stop()
      expect(foreignControls(shown(), true)).toEqual([])
    }
  })

  it('neutralises what a question names where nobody can be asked', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async title => {
        const { writer } = screen()
        const refused = await createAsk(undefined, writer)
          .confirm(`Delete ${title}?`, '--yes')
          .catch((error: Error) => error.message)
        expect(foreignControls(String(refused), false)).toEqual([])
        expect(refused).not.toContain('\n')
      }),
    )
  })
})
