import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { keptCovers } from '../../src/uploads/reading/kept-covers.ts'
import { fileOf } from '../support/books/make-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

const image = exampleCover()

const cover = (bytes: number) => ({ filename: 'cover.png', content: new Uint8Array(bytes) })

describe('a cover that was read with its book', () => {
  it('is sent as it was read, and not read again', async () => {
    const path = join(temporaryFolder(), 'cover.png')
    writeFileSync(path, image)
    const { env, received } = await bookService({ to: 'POST', meanwhile: () => rmSync(path) })
    const book = fileOf(await makeExampleEpub({}), 'book.epub')
    const { code, err } = await machine(env).run(['publications', 'upload', book, '--cover', path])
    expect({ code, err }).toMatchObject({ code: 0 })
    const covers = received.filter(({ url }) => url.startsWith('/cover/'))
    expect(covers.map(({ body }) => body)).toEqual([image])
  })

  it('is kept while there is room, and until it is dropped', () => {
    const covers = keptCovers(10)
    covers.keep('a', cover(6))
    covers.keep('b', cover(6))
    expect([covers.get('a')?.content.length, covers.get('b')]).toEqual([6, undefined])
    covers.drop('a')
    covers.drop('a')
    covers.keep('b', cover(6))
    covers.keep('c', cover(5))
    expect([covers.get('a'), covers.get('b')?.content.length, covers.get('c')]).toEqual([
      undefined,
      6,
      undefined,
    ])
  })
})
