import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { isbns } from '../support/catalogues/catalogue.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { sandbox } from '../support/servers/sandbox.ts'

/** Plans a sheet of one book, whose metadata at the service has a series. */
async function planOf(row: object, ...options: string[]) {
  const service = await sandbox()
  await service.publish(
    {
      edition: { title: 'A Tale', metadata: { isbn: isbns[0], series: { name: 'Tales', volumes: [1, 2] } } },
    },
    await makeExampleEpub({ title: 'A Tale', cover: false }),
  )
  const sheet = join(temporaryFolder(), 'books.json')
  writeFileSync(sheet, JSON.stringify([{ isbn: isbns[0], ...row }]))
  const { run } = machine({ PUBCTL_API_KEY: service.key('full'), PUBCTL_BASE_URL: service.baseUrl })
  return await run(['catalogue', 'plan', sheet, '--json', ...options])
}

it.each([
  [{ name: 'Tales', volumes: [1] }],
  [{ name: 'Tales', volumes: [[1], 2] }],
  [{ name: 'Tales', volumes: [1, 2], toString: 1 }],
])('metadata that is an object differs from another object: %j', async series => {
  const { code, out } = await planOf({ metadata: { series } })
  expect(code).toBe(0)
  const [step] = JSON.parse(out)
  expect(step.differences).toEqual([
    { field: 'series', there: { name: 'Tales', volumes: [1, 2] }, wanted: series },
  ])
})

it('metadata that is an object is the same in another order', async () => {
  const { code, out } = await planOf({ 'metadata.series': { volumes: [1, 2], name: 'Tales' } })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject([{ action: 'skip', differences: null }])
})

it('a list of a sheet has texts alone', async () => {
  const { code, err } = await planOf({ author: ['A', { name: 'B' }, null] })
  expect({ code, error: JSON.parse(err).error }).toMatchObject({ code: 2, error: { code: 'bad_manifest' } })
  expect(err).toContain('author')
  expect(err).toContain('has something that is not text')
})
