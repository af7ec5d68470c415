import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStep, writePlan } from '../support/catalogues/plan-file.ts'
import { planScene } from '../support/catalogues/plan-scene.ts'
import { startBin } from '../support/machine/bin.ts'

const isWindows = process.platform === 'win32'

/** Applies a plan whose second step names what `make` puts at a path; the test ends a process that waits for ever. */
async function applied(make: (path: string) => void) {
  const { env, scopeId, baseUrl, folder, plan, book, home, listed } = await planScene()
  const [good, bad] = [await book('good.epub', { title: 'A Tale' }), join(folder, 'bad.epub')]
  make(bad)
  const step = createStep(good, '9783161484100', 'A Tale')
  const other = createStep(good, '9780306406157', 'Another', { file: bad, bytes: 0 })
  writePlan(plan, { baseUrl, scopeId }, [step, other])
  const running = startBin(['catalogue', 'apply', plan, '--json'], { ...env, HOME: home })
  const timer = setTimeout(() => running.kill('SIGKILL'), 20_000)
  const { exitCode, stdout } = await running
  clearTimeout(timer)
  const receipts = JSON.parse(stdout || '[]').map(
    ({ outcome, error }: { outcome: string; error: { code: string; message: string } | null }) => ({
      ...{ outcome, code: error?.code, message: error?.message },
    }),
  )
  return { exitCode, receipts, titles: (await listed()).map(({ title }: { title: string }) => title) }
}

describe.skipIf(isWindows)('a step of a plan', () => {
  it.each<[string, (path: string) => void]>([
    ['a pipe', path => void spawnSync('mkfifo', [path])],
    ['a device without end', path => symlinkSync('/dev/zero', path)],
  ])('fails where its file is %s, and the other steps are carried out', async (_, make) => {
    expect(await applied(make)).toEqual({
      exitCode: 10,
      receipts: [
        { outcome: 'uploaded', code: undefined, message: undefined },
        { outcome: 'failed', code: 'file_unreadable', message: expect.stringContaining('bad.epub') },
      ],
      titles: ['A Tale'],
    })
  })
})
