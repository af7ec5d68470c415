import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completions } from './completions.ts'
import { growthFigures } from './growth.ts'
import { libraryReference } from './library-reference.ts'
import { pictures } from './pictures.ts'
import { root } from './program.ts'
import { reference } from './reference.ts'
import { reportPicture } from './report-picture.ts'
import { rulesPage } from './rules-page.ts'

/** Gives files of the repository that are made of the rest of it, by their paths. */
type Generator = () => ReadonlyMap<string, string | Buffer> | Promise<ReadonlyMap<string, string | Buffer>>

/** What is the same on every machine. */
export const generators = {
  completions,
  reference,
  library: libraryReference,
  rules: rulesPage,
  pictures,
  growth: growthFigures,
} satisfies Record<string, Generator>

/** What is only made when it is named: it needs Chromium, of which each version draws a little differently. */
const onDemand = { report: reportPicture } satisfies Record<string, Generator>

/** Writes the files of the generators that are named, or of all, and says which of them changed. */
export async function generate(names: readonly string[]): Promise<void> {
  const known: Record<string, Generator> = { ...generators, ...onDemand }
  const unknown = names.find(name => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    process.stderr.write(
      `generate: nothing is called ${unknown}; there are ${Object.keys(known).join(', ')}\n`,
    )
    process.exitCode = 1
    return
  }
  for (const name of names.length > 0 ? names : Object.keys(generators))
    for (const [path, content] of (await known[name]?.()) ?? []) {
      const file = join(root, path)
      if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) continue
      writeFileSync(file, content)
      process.stdout.write(`${path}\n`)
    }
}
