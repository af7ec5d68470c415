import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStep, planStep } from '../support/catalogues/plan-file.ts'
import { planScene } from '../support/catalogues/plan-scene.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** A sound plan of two books, and how many requests change the service when it is applied. */
async function scene() {
  const own = await planScene()
  const steps = [
    createStep(await own.book('one.epub', { title: 'One' }), '9780000000019', 'One'),
    createStep(await own.book('two.epub', { title: 'Two' }), '9780000000026', 'Two'),
  ]
  own.write(steps)
  const lines = () => readFileSync(own.plan, 'utf8').split('\n')
  const refused = async () => {
    const { code, err, receipts } = await own.apply()
    expect(await own.listed()).toHaveLength(0)
    expect(receipts).toEqual([])
    return { code, error: JSON.parse(err).error }
  }
  return { ...own, steps, lines, refused }
}

type Change = (lines: string[]) => string[]
const edited =
  (line: number, change: (value: Record<string, unknown>) => object): Change =>
  lines =>
    lines.map((text, index) => (index === line - 1 ? JSON.stringify(change(JSON.parse(text))) : text))

const damaged: [string, number, string, Change][] = [
  ['is cut between two lines', 2, '1 of 2 steps "create"', lines => [...lines.slice(0, 2), '']],
  ['is cut within a line', 3, 'not JSON', lines => [...lines.slice(0, 2), lines[2]?.slice(0, 99) ?? '']],
  ['has no header', 1, 'pubctl', lines => lines.slice(1)],
  ['is empty', 1, 'empty', () => []],
  ['has a step twice', 4, 'upload request of line 3', lines => [...lines.slice(0, 3), lines[2] ?? '', '']],
  ['is a sheet', 1, 'not JSON', () => ['file,title', 'book.epub,Book']],
  ['has an action that is none', 2, 'action', edited(2, step => ({ ...step, action: 'delete' }))],
  ['has a hash that is none', 2, 'sha256', edited(2, step => ({ ...step, sha256: 'abc' }))],
  ['has a body of another upload', 2, 'send', edited(2, step => ({ ...step, uploadRequestId: null }))],
  ['lacks what an upload needs', 3, 'file', edited(3, step => ({ ...step, file: null }))],
  ['has a count that is none', 1, 'counts', edited(1, header => ({ ...header, counts: { create: -1 } }))],
]

describe('a plan is refused whole', () => {
  it.each(damaged)('if it %s', async (_, line, fault, change) => {
    const { plan, lines, refused } = await scene()
    writeFileSync(plan, change(lines()).join('\n'))
    const { code, error } = await refused()
    expect(code).toBe(2)
    expect(error).toMatchObject({ code: 'bad_plan', exitCode: 2 })
    expect(error.message).toContain(`${plan} is not a plan, or is damaged: line ${line}: `)
    expect(error.message).toContain(fault)
  })

  it('if it is no text, or has a line without an end', async () => {
    const { plan, refused } = await scene()
    writeFileSync(plan, Buffer.from([0xff, 0xfe, 0x7b, 0x0a]))
    expect((await refused()).error.message).toContain('line 1: it is not JSON')
    writeFileSync(plan, Buffer.alloc(17 * 1024 * 1024, 0x61))
    expect((await refused()).error.message).toContain('line 1: the line is too long')
  })

  it('if it is not there, or a folder', async () => {
    const { run, folder } = await planScene()
    mkdirSync(join(folder, 'plans'))
    for (const name of ['none.ndjson', 'plans']) {
      const { code, err } = await run(['catalogue', 'apply', join(folder, name), '--json'])
      expect(JSON.parse(err).error).toMatchObject({ code: 'file_unreadable', exitCode: code })
      expect(code).toBe(2)
    }
  })

  it('if it was made for another address, or another organisation', async () => {
    const { write, steps, refused, baseUrl } = await scene()
    write(steps, { baseUrl: 'https://api.example.org' })
    expect(await refused()).toMatchObject({
      code: 2,
      error: { code: 'other_service', message: expect.stringContaining(`this command goes to ${baseUrl}`) },
    })
    write(steps, { scopeId: 'another' })
    expect(await refused()).toMatchObject({
      code: 2,
      error: {
        code: 'other_organisation',
        message: expect.stringContaining('was made for the organisation another'),
      },
    })
  })
})

describe('a plan is read', () => {
  it('with what a later version adds to it, and without a last line break', async () => {
    const { plan, lines, apply } = await scene()
    const more = edited(2, step => ({ ...step, later: { more: 1 } }))(lines())
    writeFileSync(plan, more.join('\n').trimEnd())
    expect(await apply()).toMatchObject({ code: 0, outcomes: ['uploaded', 'uploaded'] })
  })

  it.runIf(isSlow)('in pieces: lines longer than a piece, and letters across two of them', async () => {
    const { write, steps, apply, publication } = await scene()
    const description = 'é'.repeat(300_001)
    write(steps.map(step => ({ ...step, send: { ...step.send, description } as typeof step.send })))
    const { code, receipts } = await apply()
    expect(code).toBe(0)
    expect((await publication(receipts[1]?.publicationId ?? '')).description).toBe(description)
  })

  it('without a line of it being kept in memory that nobody has to do anything about', async () => {
    const { plan, write, apply, env } = await scene()
    const skips = isSlow ? 100_000 : 10_000
    write([], { counts: { skip: skips } })
    const line = `${JSON.stringify(planStep({ key: '9780000000019', why: 'w'.repeat(500) }))}\n`
    for (let done = 0; done < skips; done += 10_000) appendFileSync(plan, line.repeat(10_000))
    expect(await apply()).toMatchObject({ code: 0, receipts: [] })
    const { err } = await machine(env).run(['catalogue', 'apply', plan])
    expect(err).toContain(`Left as planned: ${skips} skip.`)
  })
})
