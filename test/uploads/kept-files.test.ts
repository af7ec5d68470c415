import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { openFileStore } from '../../src/uploads/reading/kept-files.ts'
import { fileOf } from '../support/books/make-book.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { bookService } from '../support/servers/book-service.ts'

const image = exampleCover()

const files = (cover: number, book: number) => ({
  cover: { filename: 'cover.png', content: new Uint8Array(cover) },
  book: { content: new Uint8Array(book), sha256: '' },
})

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
})

describe('the files that are kept', () => {
  it('are those for which there is room, until they are dropped', () => {
    const kept = openFileStore(10)
    const sizes = (id: string) => {
      const { cover, book } = kept.get(id)
      return [cover?.content.length, book?.content.length]
    }
    kept.keep('a', files(6, 5))
    kept.keep('b', files(6, 4))
    expect([sizes('a'), sizes('b')]).toEqual([
      [6, undefined],
      [undefined, 4],
    ])
    kept.drop('a')
    kept.drop('a')
    kept.keep('c', files(4, 3))
    expect([sizes('a'), sizes('b'), sizes('c')]).toEqual([
      [undefined, undefined],
      [undefined, 4],
      [4, undefined],
    ])
  })

  it('give their memory back where nobody has got them, and otherwise leave that to who has', () => {
    const kept = openFileStore(10)
    const given: string[] = []
    const { book } = files(0, 1)
    for (const id of ['a', 'b']) kept.keep(id, { book: { ...book, giveBack: () => void given.push(id) } })
    kept.get('a')
    for (const id of ['a', 'b', 'b']) kept.drop(id)
    expect(given).toEqual(['b'])
  })

  it('have the next book wait while they take more than half of the room', async () => {
    const kept = openFileStore(10)
    kept.keep('a', files(0, 5))
    expect(kept.room()).toBeUndefined()
    kept.keep('b', files(0, 1))
    const room = kept.room()
    expect(room).toBeInstanceOf(Promise)
    kept.drop('a')
    await room
  })
})
