import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { main } from '../../src/main.ts'
import type { Http } from '../../src/system/http.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { systemClock } from '../../src/system/world.ts'
import { key } from './secrets.ts'
import { type Answering, soundAnswer } from './service.ts'

/** How a command line ended. */
export interface Ended {
  readonly args: readonly string[]
  readonly code: number
  readonly out: string
  readonly err: string
}

/** What a command line finds when it starts. */
export interface Scene {
  /** An empty folder, which may be the home. */
  readonly home: string
  /** Its files by their paths in the home. */
  readonly files?: Readonly<Record<string, Buffer>>
  /** What comes through standard input. */
  readonly stdin?: Buffer
  /** How the service answers; soundly if it is not given. */
  readonly answer?: Answering
}

export const origin = 'https://service.example'

/** No command needs so much of it, in milliseconds; most of it is not waited for. */
const longest = 60 * 60 * 1000

class Screen extends Writable {
  text = ''
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk
    done()
  }
}

/** When every command begins, so that the age of what is kept is the same in every run. */
export const beginning = Date.parse('2026-06-01T12:00:00.000Z')

/**
 * A clock whose waits take no time and count as if they did, until they are too many. Nothing else moves its time of day: what was
 * kept at a time just after the beginning would be of the future for a quick run, and not for a slow one.
 */
function hastyClock() {
  let skipped = 0
  return {
    ...systemClock,
    now: () => beginning + skipped,
    monotonic: () => systemClock.monotonic() + skipped,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      skipped += milliseconds
      if (skipped > longest) throw new Error('it waits for ever')
      await new Promise(setImmediate)
      signal?.throwIfAborted()
    },
  }
}

const http = (answer: Answering): Http => ({
  send: async ({ method, url, signal, body }) => {
    signal.throwIfAborted()
    if (typeof body === 'object') for await (const _ of body);
    const { status, headers, body: text } = answer(method, url)
    return { status, headers, text: async () => text }
  },
  connect: async () => Promise.reject(new Error('nothing connects here')),
  close: async () => undefined,
})

/** Runs a command line of the whole program in this process. */
export async function run(
  args: readonly string[],
  { home, files = {}, stdin, answer = soundAnswer }: Scene,
): Promise<Ended> {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true, mode: 0o700 })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, name), content, { mode: 0o600 })
  }
  const [stdout, stderr] = [new Screen(), new Screen()]
  const code = await main(args, {
    env: { PUBCTL_BASE_URL: origin, PUBCTL_API_KEY: key, PUBCTL_KEYCHAIN: 'off' },
    platform: process.platform,
    home,
    stdin: Readable.from(stdin === undefined ? [] : [stdin]),
    stdout,
    stderr,
    clock: hastyClock(),
    mayRead: anyFile,
    signal: new AbortController().signal,
    openHttp: () => http(answer),
  })
  return { args, code, out: stdout.text, err: stderr.text }
}
