import { appendFileSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../support/catalogues/catalogue.ts'
import { listedService } from '../support/servers/listed-service.ts'

/** More than the rows that are read at a time. */
const count = 450

/** A service, and a sheet of all that it has, by the ids of the publications. */
async function scene() {
  const service = await listedService({ count })
  const pc = catalogue(service.env)
  const exported = await pc.run(['catalogue', 'export', '--out', pc.sheet, '--json'])
  expect(exported.code).toBe(0)
  const plan = async () => {
    const { code, steps } = await pc.plan()
    expect(code).toBe(0)
    expect(steps).toHaveLength(count)
    return steps.filter(({ action }) => action !== 'skip')
  }
  return { ...service, ...pc, plan }
}

describe('a plan of more rows than are read at a time', () => {
  it('knows what was sent to the publication of each', async () => {
    const { changed, plan } = await scene()
    expect(await plan()).toEqual([])
    for (const number of [7, 207, 449])
      changed.set(`pub_${number}`, { editionId: `ed_${number}_2`, description: 'Corrected' })
    const drifted = await plan()
    expect(drifted.map(({ action, publicationId }) => [action, publicationId]).sort()).toEqual(
      ['pub_207', 'pub_449', 'pub_7'].map(id => ['drifted', id]),
    )
    for (const { differences, publicationId } of drifted) {
      const sent = `What book ${publicationId?.slice(4)} is about`
      expect(differences).toMatchObject([{ field: 'description', sent, there: 'Corrected', wanted: sent }])
    }
  })

  it('finds the rows of one publication, however far apart they are', async () => {
    const { sheet, run } = await scene()
    const rows = readFileSync(sheet, 'utf8').trimEnd().split(/\r?\n/)
    appendFileSync(sheet, `${rows[3]}\n`)
    const { out } = await run(['catalogue', 'plan', sheet, '--json'])
    const steps: { action: string; why: string; publicationId: string | null }[] = JSON.parse(out)
    const conflicts = steps.flatMap(({ action, why }, index) =>
      action === 'conflict' ? [{ index, why }] : [],
    )
    expect(conflicts).toEqual([
      { index: 2, why: expect.stringContaining(`and row ${count + 2} of`) },
      { index: count, why: expect.stringContaining('and row 4 of') },
    ])
  })
})
