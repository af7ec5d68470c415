import { describe, expect, it } from 'vitest'
import { resetSandbox } from '../../src/sandbox/index.ts'
import { isSlow } from '../support/machine/slow.ts'
import { clientOf, dataFolder, sandbox } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const domain = '/v1/domains/dom_library'

/** Two servers of one sandbox, the second in a process of its own. */
async function two() {
  const dataDir = dataFolder()
  const here = await sandbox({ dataDir })
  const server = await startServer(dataDir)
  return { dataDir, here, there: clientOf(server.baseUrl, server.key) }
}

describe('what was asked for before', () => {
  it.runIf(isSlow)('is answered as it is now, whichever process has changed it', async () => {
    const { here, there } = await two()
    for (let turn = 0; turn < 50; turn++) {
      const [writer, other] = turn % 2 ? [here, there] : [there, here]
      const description = `turn ${turn}`
      await writer.ok('PATCH', domain, { description })
      const seen = await Promise.all([other, writer, other, other].map(each => each.ok('GET', domain)))
      expect(seen.map(({ item }) => item.description)).toEqual(Array(4).fill(description))
      const { items } = await other.ok('GET', '/v1/domains')
      expect(items.find(({ id }: { id: string }) => id === 'dom_library').description).toBe(description)
    }
  })

  it('is answered to keys that may still ask, whichever process has changed them', async () => {
    const { dataDir, here, there } = await two()
    const key = here.key('read-only')
    const statuses = async () => {
      const answers = [here, there].map(each => each.call('GET', domain, undefined, key))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    const path = '/v1/apikeys/key_read_only'
    expect(await statuses()).toEqual([200, 200])
    await there.ok('PATCH', path, { scopes: ['write'] })
    expect(await statuses()).toEqual([403, 403])
    await here.ok('PATCH', path, { scopes: ['read'], status: 'inactive' })
    expect(await statuses()).toEqual([401, 401])
    await there.ok('PATCH', path, { status: 'active' })
    expect(await statuses()).toEqual([200, 200])
    await here.ok('DELETE', path)
    expect(await statuses()).toEqual([401, 401])
    await resetSandbox(dataDir)
    expect(await statuses()).toEqual([200, 200])
    await there.ok('DELETE', '/v1/users')
    expect(await statuses()).toEqual([401, 401])
  })

  it('follows whatever it is made of', async () => {
    const { ok } = await sandbox()
    const { item } = await ok('GET', domain)
    const { item: copy } = await ok('POST', `/v1/reader-instances/${item.readerInstanceIds[0]}/copy`)
    expect((await ok('GET', domain)).item.readerInstanceIds).toEqual([...item.readerInstanceIds, copy.id])
    await ok('DELETE', `/v1/reader-instances/${copy.id}`)
    expect((await ok('GET', domain)).item).toEqual(item)
  })
})
