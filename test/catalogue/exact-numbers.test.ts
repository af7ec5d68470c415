import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { isbns } from '../support/catalogues/catalogue.ts'
import { message, record } from '../support/catalogues/onix.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { faultyServer } from '../support/proxies/faulty-server.ts'
import { sandbox } from '../support/servers/sandbox.ts'
import type { Received } from '../support/servers/server.ts'

/** An integer that a JavaScript number would round. */
const large = '12345678901234567890'

/** A sandbox whose publication has the large integer among its metadata, which the sandbox itself could not keep. */
async function scene() {
  const service = await sandbox()
  await service.publish(
    { edition: { title: 'A Tale', metadata: { isbn: isbns[0], serial: 'large' } } },
    await makeExampleEpub({ title: 'A Tale', cover: false }),
  )
  const changes: string[] = []
  const meanwhile = (request: Received) => {
    if (request.method === 'PUT') return
    if (/^POST .*\/editions$/.test(`${request.method} ${request.url}`)) changes.push(String(request.body))
    request.body = Buffer.from(String(request.body).replaceAll(`:${large}`, ':"large"'))
  }
  const change = (text: string) => text.replaceAll(':"large"', `:${large}`)
  const { url } = await faultyServer([{ meanwhile }, { change }], { before: service.baseUrl })
  const { run } = machine({ PUBCTL_API_KEY: service.key('full'), PUBCTL_BASE_URL: url })
  return { run, changes }
}

it('a large integer among the metadata is given to a new edition exactly', async () => {
  const { run, changes } = await scene()
  const folder = temporaryFolder()
  const corrected = await makeExampleEpub({ title: 'A Corrected Tale', cover: false })
  writeFileSync(join(folder, `${isbns[0]}.epub`), corrected)
  const [feed, plan] = [join(folder, 'feed.xml'), join(folder, 'plan.ndjson')]
  // A partial record, so that the edition keeps what the record does not hold.
  writeFileSync(feed, message(record({ notification: '04', title: '' })))
  const planned = await run(['catalogue', 'plan', feed, '--files', folder, '--out', plan, '--json'])
  expect(planned.err).toBe('')
  expect(readFileSync(plan, 'utf8')).toContain(`"serial":${large}`)
  expect((await run(['catalogue', 'apply', plan, '--json'])).err).toBe('')
  expect(changes).toHaveLength(1)
  expect(changes[0]).toContain(`"serial":${large}`)
})
