import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { freshCheckout } from './fresh-checkout.ts'
import { sectionOf } from './pages.ts'

const root = join(import.meta.dirname, '../../..')

/** A copy of the project in which a change is tried. It is gone when the test is. */
interface Copy {
  /** Replaces a text that a file has exactly once. */
  change(path: string, text: string, by: string): void
  /** Writes a new file. */
  write(path: string, text: string): void
  /** What the compiler says of the files in which it finds something wrong, by their paths. */
  compile(): Promise<Record<string, string>>
  /** What the tests end with that have this in their names, in a file that needs no built program. */
  test(file: string, name: string): Promise<number | undefined>
}

/** A copy of the project, with its dependencies. */
export function copyToTry(): Copy {
  const folder = freshCheckout()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return {
    change(path, text, by) {
      const parts = readFileSync(join(folder, path), 'utf8').split(text)
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${text}`)
      writeFileSync(join(folder, path), parts.join(by))
    },
    write: (path, text) => writeFileSync(join(folder, path), text),
    async compile() {
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const { stdout } = await execa(process.execPath, [compiler, '--pretty', 'false'], {
        cwd: folder,
        reject: false,
      })
      const faults: Record<string, string> = {}
      for (const line of stdout.split('\n')) {
        const [, path, fault] = /^(\S+)\(\d+,\d+\): error (.*)$/.exec(line) ?? []
        if (path !== undefined) faults[path] = `${faults[path] ?? ''}${fault}\n`
      }
      return faults
    },
    async test(file, name) {
      // The program itself may not run before the change is whole, so it is neither built nor started.
      const config = join(folder, 'tried.config.mjs')
      writeFileSync(config, "export default { test: { include: ['test/**/*.test.ts'] } }\n")
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST')))
      const args = [vitest, 'run', '--root', folder, '--config', config, file, '-t', name]
      const { exitCode } = await execa(process.execPath, args, {
        cwd: folder,
        env,
        extendEnv: false,
        reject: false,
      })
      return exitCode
    },
  }
}

/**
 * The files that a numbered list of CONTRIBUTING.md names, each once at the beginning of its item. Whoever changes the first
 * is shown the others by the compiler.
 */
export const filesToChange = (heading: string): readonly string[] =>
  [...sectionOf('CONTRIBUTING.md', `## ${heading}`).matchAll(/^\d+\. \W*`([^`]+)`/gm)].map(
    ([, path = '']) => path,
  )
