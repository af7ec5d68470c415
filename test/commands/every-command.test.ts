import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import type { CommandNode } from '../../src/cli/command-tree.ts'
import { type Invocation, invocations } from '../support/every-command.ts'
import { atTerminal } from '../support/pseudo-terminal.ts'
import { machine, type Result, temporaryFolder } from '../support/pubctl.ts'
import { copySandbox, seededMachine } from '../support/seeded.ts'
import { json, serve } from '../support/server.ts'
import { isSlow } from '../support/slow.ts'
import { foreignControls, withoutColours } from '../support/terminal.ts'

const bin = join(import.meta.dirname, '../../bin/pubctl.js')

const leaves = (node: CommandNode): string[] =>
  node.commands.length === 0 ? [node.path] : node.commands.flatMap(leaves)

/** A command line for each command: the one that is told to show how it ends when all is well. */
const oneEach = (all: readonly Invocation[]): Invocation[] =>
  all.filter(
    ({ command, isEndless }, index) =>
      !isEndless && all.findIndex(each => each.command === command) === index,
  )

/** One of so many parts of the command lines: without `npm run check:slow`, formats and devices share them. */
const share = (all: readonly Invocation[], part: number, parts: number): readonly Invocation[] =>
  isSlow ? all : all.filter((_, index) => index % parts === part % parts)

/** Gives each command line a machine of its own, with the sandbox as it was at first. */
async function onEach(
  all: readonly Invocation[],
  home: string,
  work: (invocation: Invocation, own: ReturnType<typeof machine>) => Promise<void>,
) {
  for (const invocation of all) {
    const own = machine()
    copySandbox(home, own.home)
    await work(invocation, own)
  }
}

/** What must hold of a command under `--json`. */
function holdsAsJson({ args, isText, code: wanted = 0 }: Invocation, { code, out, err }: Result) {
  const line = args.join(' ')
  expect({ line, code, err: code === wanted ? '' : err }).toEqual({ line, code: wanted, err: '' })
  if (isText) return expect(out, line).not.toBe('')
  if (out !== '') expect(() => JSON.parse(out), line).not.toThrow()
  if (code === 0 && !args.includes('--include')) expect({ line, err }).toEqual({ line, err: '' })
  if (code !== 0) {
    expect(err, line).toMatch(/^[^\n]*\n$/)
    expect(JSON.parse(err).error, line).toMatchObject({
      exitCode: code,
      code: expect.any(String),
      hint: expect.anything(),
    })
  }
}

describe('every command', () => {
  it('stands in the table of command lines', async () => {
    const { out } = await machine().run(['commands'])
    const nothing = new Proxy({} as Parameters<typeof invocations>[0], { get: () => 'x' })
    const known = new Set(invocations(nothing).map(({ command }) => command))
    expect([...known].sort()).toEqual(leaves(JSON.parse(out)).sort())
  })

  it('prints one JSON document into a pipe, with stdin closed', async () => {
    const { home, things } = await seededMachine()
    await onEach(share(oneEach(invocations(things)), 0, 2), home, async (invocation, own) => {
      const stdin = invocation.stdin === undefined ? '<&-' : ''
      const line = ['--profile', 'sandbox', ...invocation.args, '--json']
      const { exitCode, stdout, stderr } = await execa(
        'sh',
        ['-c', `exec "$0" "$@" ${stdin}`, process.execPath, bin, ...line],
        {
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: own.home,
            PUBCTL_SANDBOX_DELAY: '5ms',
            PUBCTL_KEYCHAIN: 'off',
          },
          extendEnv: false,
          reject: false,
          stripFinalNewline: false,
          ...(invocation.stdin === undefined ? { stdin: 'ignore' } : { input: invocation.stdin }),
        },
      )
      holdsAsJson(invocation, { code: exitCode ?? -1, out: stdout, err: stderr })
    })
  }, 240_000)

  it('prints one JSON document, or one error, at a terminal', async () => {
    const { home, things } = await seededMachine()
    await onEach(share(oneEach(invocations(things)), 1, 2), home, async (invocation, own) => {
      if (invocation.stdin !== undefined) return
      const args = ['--profile', 'sandbox', ...invocation.args, '--json']
      const { code, text } = await atTerminal(args, { home: own.home }).ended()
      const line = args.join(' ')
      expect({ line, code, text: code === (invocation.code ?? 0) ? '' : text }).toEqual({
        line,
        code: invocation.code ?? 0,
        text: '',
      })
      expect({ line, controls: foreignControls(text, true) }).toEqual({ line, controls: [] })
      if (!invocation.isText && text !== '') expect(() => JSON.parse(text), line).not.toThrow()
    })
  }, 240_000)

  it.each([
    { format: '-o ndjson', part: 0 },
    { format: '-o csv', part: 1 },
    { format: '-q', part: 2 },
    { format: '', part: 3 },
    { format: '--query @', part: 4 },
    { format: '--json --query @', part: 5 },
  ])(
    'prints its result and nothing else into a pipe with "$format"',
    async ({ format, part }) => {
      const { home, things } = await seededMachine()
      const all = invocations(things).filter(({ isEndless }) => !isEndless)
      await onEach(share(all, part, 3), home, async (invocation, own) => {
        const args = [...invocation.args, ...format.split(' ').filter(Boolean)]
        const { code, out, err } = await own.sandbox(
          args,
          invocation.stdin === undefined ? {} : { stdin: invocation.stdin },
        )
        const line = args.join(' ')
        expect({ line, code, err: code === (invocation.code ?? 0) ? '' : err }).toEqual({
          line,
          code: invocation.code ?? 0,
          err: '',
        })
        expect({ line, out: foreignControls(out, false) }).toEqual({ line, out: [] })
        if (format === '-q' && code === 0 && !args.includes('--include'))
          expect({ line, err }).toEqual({ line, err: '' })
        if (invocation.isText) return
        if (format === '-o ndjson' && out) for (const each of out.trimEnd().split('\n')) JSON.parse(each)
        if (format.startsWith('--json') && out) JSON.parse(out)
      })
    },
    120_000,
  )

  it.each([
    { columns: 80, part: 0 },
    { columns: 200, part: 1 },
  ])(
    'draws no table wider than a terminal of $columns columns',
    async ({ columns, part }) => {
      const { home, things } = await seededMachine()
      const all = invocations(things).filter(({ isEndless }) => !isEndless)
      await onEach(share(all, part, 2), home, async (invocation, own) => {
        const options = invocation.stdin === undefined ? { columns } : { columns, stdin: invocation.stdin }
        const { out, err } = await own.sandbox(invocation.args, options)
        const line = invocation.args.join(' ')
        expect({ line, out: foreignControls(out, true), err: foreignControls(err, true) }).toEqual({
          line,
          out: [],
          err: [],
        })
        const isTable = / (list|popular)$/.test(invocation.command)
        const wide = withoutColours(out)
          .split('\n')
          .filter(each => stringWidth(each) > columns)
        if (isTable) expect({ line, wide }).toEqual({ line, wide: [] })
      })
    },
    120_000,
  )

  it('refuses a field that there is not, and lists those that there are, before any request', async () => {
    const { things } = await seededMachine()
    const { run } = machine({
      PUBCTL_API_KEY: 'canary-key-0123456789',
      PUBCTL_BASE_URL: 'http://127.0.0.1:9',
    })
    for (const { args, isEndless, isText, hasNoFields, stdin } of invocations(things)) {
      if (isEndless || isText || hasNoFields) continue
      const { code, err } = await run(
        [...args, '--fields', 'nosuchfield', '--json'],
        stdin === undefined ? {} : { stdin },
      )
      const line = args.join(' ')
      expect({ line, code, error: code === 2 ? '' : err }).toEqual({ line, code: 2, error: '' })
      expect(JSON.parse(err).error, line).toMatchObject({
        code: 'unknown_field',
        hint: expect.stringMatching(/^The fields are \w+/),
      })
    }
  })

  it('takes no colour where NO_COLOR is set, and colour where it is forced', async () => {
    const { sandbox } = machine()
    const colours = async (env: Record<string, string>, more: string[] = [], columns?: number) =>
      /\u001b\[/.test(
        (await sandbox(['domains', 'list', ...more], { env, ...(columns ? { columns } : {}) })).out,
      )
    expect(await colours({}, [], 80)).toBe(true)
    expect(await colours({ NO_COLOR: '1' }, [], 80)).toBe(false)
    expect(await colours({ TERM: 'dumb' }, [], 80)).toBe(false)
    expect(await colours({}, ['--color', 'never'], 80)).toBe(false)
    expect(await colours({ NO_COLOR: '1' }, ['--color', 'always'], 80)).toBe(true)
    expect(await colours({})).toBe(false)
    const failing = async (...more: string[]) =>
      (await sandbox(['domains', 'get', 'nope', ...more], { columns: 80 })).err
    expect(await failing()).toMatch(/\u001b\[31merror:/)
    expect(await failing('--color', 'never')).not.toMatch(/\u001b/)
    expect(await failing('--color=never')).not.toMatch(/\u001b/)
  })
})

describe('a reader of the output that goes away', () => {
  it('ends a listing without end quietly', async () => {
    const { url } = await serve((request, response) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('nextToken') ?? 0)
      const items = Array.from({ length: 50 }, (_, index) => ({
        id: `ri_${page}_${index}`,
        name: 'x'.repeat(500),
      }))
      json(response, 200, { items, nextToken: String(page + 1), context: {} })
    })
    for (const format of ['-o ndjson', '--json', '-o csv', '-o table']) {
      const { exitCode, stdout, stderr } = await execa(
        'bash',
        [
          '-c',
          `"$0" "$1" reader-instances list --all ${format} | head -1 > /dev/null; echo "\${PIPESTATUS[0]}"`,
          process.execPath,
          bin,
        ],
        {
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: temporaryFolder(),
            PUBCTL_BASE_URL: url,
            PUBCTL_API_KEY: 'canary-key-0123456789',
          },
          extendEnv: false,
          reject: false,
        },
      )
      expect({ format, exitCode, stdout, stderr }).toEqual({ format, exitCode: 0, stdout: '0', stderr: '' })
    }
  })

  it('says that a full disk is full', async ({ skip }) => {
    skip(!existsSync('/dev/full'), 'this system has no /dev/full')
    const { exitCode, stderr } = await execa(
      'sh',
      ['-c', '"$0" "$1" sandbox openapi > /dev/full', process.execPath, bin],
      {
        reject: false,
      },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: the output cannot be written: ENOSPC\n/)
  })
})
