import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { machine } from '../support/pubctl.ts'
import { json, serve } from '../support/server.ts'

it('a key in use is neither archived nor deleted', async () => {
  const { home, sandbox } = machine()
  const book = join(home, 'book.epub')
  writeFileSync(book, await makeExampleEpub())
  const key = JSON.parse((await sandbox(['metadata-keys', 'create', 'series', '--json'])).out)
  await sandbox(['publications', 'upload', book, '--metadata', 'series=One'])
  const { code, out, err } = await sandbox([
    'metadata-keys',
    'delete',
    key.id,
    '--archive',
    '--yes',
    '--json',
  ])
  expect({ code, out, error: JSON.parse(err).error }).toMatchObject({
    code: 6,
    out: '',
    error: {
      code: 'key_in_use',
      message: 'the metadata key series is in use, so it was neither archived nor deleted',
    },
  })
  const [left] = JSON.parse((await sandbox(['metadata-keys', 'list', '--json'])).out)
  expect(left).toMatchObject({ id: key.id, status: 'active', isInUse: true })
})

/** A service with one active key, which refuses to delete it with a status. */
async function refusing(status: number, restores = 200) {
  let state = 'active'
  const { url, received } = await serve(({ method, body }, response) => {
    const item = { id: 'key_1', key: 'series', isInUse: false }
    const context = {}
    if (method === 'DELETE')
      return json(response, status, { error: 'INVALID_REQUEST', message: 'no', context })
    if (method === 'GET') return json(response, 200, { items: [{ ...item, status: state }], context })
    const wanted = JSON.parse(String(body)).status
    if (wanted === 'active' && restores !== 200)
      return json(response, restores, { error: 'INVALID_REQUEST', message: 'no', context })
    state = wanted
    json(response, 200, { item: { ...item, status: state }, context })
  })
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  return {
    ...own,
    changes: () =>
      received.filter(({ method }) => method !== 'GET').map(({ method, body }) => `${method} ${body}`),
  }
}

it.each([
  { status: 400, restores: 200, hint: 'It was archived for this, and is active again.', restored: true },
  { status: 400, restores: 403, hint: expect.stringMatching(/^It is archived now\..*restore key_1$/) },
  { status: 500, restores: 200, hint: expect.stringMatching(/^It is archived now\..*restore key_1$/) },
])('a key whose deletion fails with $status (restoring: $restores) is told of', async each => {
  const { run, changes } = await refusing(each.status, each.restores)
  const { err } = await run(['metadata-keys', 'delete', 'key_1', '--archive', '--yes', '--json'])
  expect(JSON.parse(err).error).toMatchObject({ status: each.status, hint: each.hint })
  const tried = each.status === 400 ? ['PATCH {"status":"active"}'] : []
  expect(changes()).toEqual(['PATCH {"status":"archived"}', 'DELETE ', ...tried])
})
