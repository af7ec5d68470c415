import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exampleBook } from '../support/books/example-book.ts'
import { sleeplessClock } from '../support/machine/clock.ts'
import { machine } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

/** Makes a file longer and keeps its date. */
function grow(file: string): void {
  appendFileSync(file, 'x')
  utimesSync(file, 1, 1)
}

describe('a file that changes between two attempts to send it', () => {
  it.each<[string, (file: string) => void, string, RegExp]>([
    ['vanished', file => rmSync(file), 'file_unreadable', /^cannot read .*: there is no such file$/],
    ['grew', grow, 'file_changed', /changed while it was sent$/],
    ['got another date', file => utimesSync(file, 2, 2), 'file_changed', /changed while it was sent$/],
    [
      'got other bytes of the same size',
      file => writeFileSync(file, Buffer.alloc(readFileSync(file).length, 1)),
      'file_changed',
      /changed while it was sent$/,
    ],
  ])('and %s is not sent again', async (_, change, code, message) => {
    const file = await exampleBook({ cover: false })
    utimesSync(file, 1, 1)
    const { env, made, log } = await bookService({ to: 'PUT', status: 503, meanwhile: () => change(file) })
    const args = ['publications', 'upload', file, '--cover', 'none', '--json', '--no-wait']
    const result = await machine(env).run(args, { clock: sleeplessClock() })
    expect(result.code).toBe(2)
    expect(JSON.parse(result.err).error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(log.filter(route => route.startsWith('PUT'))).toHaveLength(1)
    expect(made).toMatchObject([{ sent: undefined }])
  })
})
