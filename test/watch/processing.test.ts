import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { eicar } from '../support/books/eicar.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { quick } from '../support/machine/watch-scene.ts'
import { heldSandbox } from '../support/servers/held-sandbox.ts'

const isbn = '9783161484100'

/** A watched folder with a book that another machine has sent, and that the service has received and not yet processed. */
async function scene(entries: Record<string, Buffer> = {}) {
  const { baseUrl, key, goOnTo, isAskedForState } = await heldSandbox()
  const env = { PUBCTL_API_KEY: key('full'), PUBCTL_BASE_URL: baseUrl }
  const folder = temporaryFolder()
  const at = (...names: string[]) => join(folder, ...names)
  writeFileSync(at('one.epub'), await makeExampleEpub({ title: 'One', isbn, extraEntries: entries }))
  const upload = ['publications', 'upload', at('one.epub'), '--skip-existing', '--no-wait']
  expect((await machine(env).run(upload)).code).toBe(0)
  await goOnTo('uploaded')
  const receipt = (where: string) => JSON.parse(readFileSync(at(where, 'one.epub.receipt.json'), 'utf8'))
  const watch = async (...more: string[]) => await machine(env).run(['watch', folder, ...quick, ...more])
  return { at, receipt, watch, goOnTo, isAskedForState }
}

describe.each([
  ['a book', () => undefined],
  ['a row of a sheet', (path: string) => writeFileSync(path, `file,isbn\none.epub,${isbn}\n`)],
])('%s that somebody else has sent', (_, addSheet) => {
  it('is done once the service has processed it', async () => {
    const { at, receipt, watch, goOnTo, isAskedForState } = await scene()
    addSheet(at('books.csv'))
    const watching = watch()
    await isAskedForState()
    await goOnTo('available')
    expect((await watching).code).toBe(0)
    expect(receipt('done')).toMatchObject({ outcome: 'skipped', uploadStatus: 'available', error: null })
  })

  it('has failed if the service finds it unfit', async () => {
    const { at, receipt, watch, goOnTo, isAskedForState } = await scene({ 'EPUB/odd.bin': eicar })
    addSheet(at('books.csv'))
    const watching = watch()
    await isAskedForState()
    await goOnTo('upload_quarantine')
    expect((await watching).code).toBe(10)
    expect(receipt('failed')).toMatchObject({
      outcome: 'failed',
      uploadStatus: 'upload_quarantine',
      error: { code: 'upload_quarantine' },
    })
    expect(existsSync(at('one.epub'))).toBe(false)
  })

  it('is done at once with --no-wait', async () => {
    const { at, receipt, watch } = await scene()
    addSheet(at('books.csv'))
    expect((await watch('--no-wait')).code).toBe(0)
    expect(receipt('done')).toMatchObject({ outcome: 'skipped', uploadStatus: 'uploaded', error: null })
  })
})
