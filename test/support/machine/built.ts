import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bundler = join(import.meta.dirname, '../../../.ci/bundle.js')

/** A module of the source as the build makes it, where libraries get the stand-ins for what they load. */
export async function built(path: string): Promise<unknown> {
  const { chunksOf } = (await import(bundler)) as {
    chunksOf: (input: object, output: object) => Promise<{ code: string }[]>
  }
  const [chunk] = await chunksOf({ module: path }, { codeSplitting: false })
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-built-'))
  try {
    const file = join(folder, 'module.cjs')
    writeFileSync(file, chunk?.code ?? '')
    return createRequire(import.meta.url)(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
