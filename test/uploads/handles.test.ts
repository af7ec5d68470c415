import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBooks } from '../support/books/book-folder.ts'
import { shell } from '../support/machine/limited-shell.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { bookService } from '../support/servers/book-service.ts'

describe.runIf(isSlow)('a machine that lets a process open few files', () => {
  it.each([44, 60])('of %i is waited for, and every book gets there once', async files => {
    const service = await bookService()
    const home = temporaryFolder()
    await makeBooks(join(home, 'books'), 40)
    const args = ['publications', 'upload', join(home, 'books'), '--json', '--concurrency', '32']
    const { exitCode, stderr } = await shell(`ulimit -n ${files}`, args, { ...service.env, HOME: home })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(service.made.map(({ puts }) => puts)).toEqual(Array.from({ length: 40 }, () => 1))
  })
})
