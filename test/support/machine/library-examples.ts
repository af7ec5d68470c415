import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execa } from 'execa'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import { startSandbox } from '../../library/library.ts'
import { readPage } from './pages.ts'

const root = join(import.meta.dirname, '../../..')

/** The examples of the library's page, by the headings above them. */
const examples = readPage('docs/library.md')
  .split(/^## /m)
  .flatMap(section => {
    const [, code] = /^```js\n(.*?)^```$/ms.exec(section) ?? []
    return code === undefined ? [] : [{ name: section.split('\n', 1)[0] as string, code }]
  })

/** What is wrong with the types of a packed package, and the names by which it can be imported. */
export async function typesOf(tarball: string) {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (!('problems' in checked)) return { problems: ['it has no types'], names: [] }
  return {
    // Node.js has read `exports` since version 12.
    problems: checked.problems.filter(
      problem => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    ),
    names: Object.keys(checked.entrypoints),
  }
}

/** Compiles the examples in a project that has pubctl, by the strictest rules, and runs them. Gives what each one prints. */
export async function runExamples(project: string): Promise<Record<string, string>> {
  writeFileSync(join(project, 'first.epub'), await makeExampleEpub({ title: 'A First Book' }))
  for (const { name, code } of examples) {
    writeFileSync(join(project, fileOf(name)), code)
    // What CommonJS requires has no types.
    if (name !== 'CommonJS') writeFileSync(join(project, fileOf(name).replace(/js$/, 'ts')), code)
  }
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'junction')
  compile(project, { module: 'nodenext' })
  compile(project, { module: 'preserve', moduleResolution: 'bundler' })

  const sandbox = await startSandbox({ processingDelay: 5 })
  try {
    const env = { PUBLISHING_URL: sandbox.baseUrl, PUBLISHING_KEY: sandbox.key, HOME: project }
    const printed: Record<string, string> = {}
    for (const { name } of examples) {
      const run = await execa(process.execPath, [fileOf(name)], { cwd: project, env, extendEnv: false })
      printed[name] = run.stdout
    }
    return printed
  } finally {
    await sandbox.close()
  }
}

const fileOf = (name: string): string =>
  `${name.toLowerCase().replace(/\W+/g, '-')}.${name === 'CommonJS' ? 'cjs' : 'mjs'}`

function compile(project: string, options: object): void {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    ...options,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', project, '--singleThreaded'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
