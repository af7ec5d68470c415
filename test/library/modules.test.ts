import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { execa } from 'execa'
import { rolldown } from 'rolldown'
import { globSync } from 'tinyglobby'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { share } from '../support/machine/slow.ts'
import { library, startSandbox } from './library.ts'

const root = join(import.meta.dirname, '../..')

async function sandboxFor() {
  const sandbox = await startSandbox({ processingDelay: 5 })
  onTestFinished(sandbox.close)
  return sandbox
}

/** Runs a program that imports and requires the library, and gives what it prints. */
async function both(program: string, ...args: string[]): Promise<unknown> {
  const path = join(temporaryFolder(), 'program.mjs')
  writeFileSync(
    path,
    `import { createRequire } from 'node:module'
     const [imported, required] = [
       await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.mjs')))}),
       createRequire(import.meta.url)(${JSON.stringify(join(root, 'dist/index.js'))}),
     ]
     ${program}`,
  )
  const { stdout } = await execa(process.execPath, [path, ...args])
  return JSON.parse(stdout)
}

describe('the library that is imported, and the one that is required', () => {
  it('export the same', async () => {
    const names = Object.keys(library).sort()
    expect(
      await both('console.log(JSON.stringify([imported, required].map(each => Object.keys(each).sort())))'),
    ).toEqual([names, names])
  })

  it('have the same classes of errors, and know the clients of each other', async () => {
    const { baseUrl } = await sandboxFor()
    const file = join(temporaryFolder(), 'book.epub')
    writeFileSync(file, await makeExampleEpub({ title: 'A Book' }))
    const told = await both(
      `const [baseUrl, file] = process.argv.slice(2)
       const classes = Object.keys(imported).filter(name => imported[name].prototype instanceof Error)
       const told = { classes: classes.filter(name => imported[name] === required[name]) }
       for (const [name, one, other] of [['imported', imported, required], ['required', required, imported]]) {
         const client = one.createClient({ baseUrl, key: 'a-key-of-nobody' })
         const error = await other.uploadBook(client, file).catch(error => error)
         await client.close()
         told[name] = [error instanceof one.UploadFailure, error.cause instanceof one.ServiceFailure, error.name]
       }
       console.log(JSON.stringify(told))`,
      ...[baseUrl, file],
    )
    expect(told).toEqual({
      classes: ['Failure', 'NetworkFailure', 'ServiceFailure', 'UploadFailure', 'UsageFailure'],
      imported: [true, true, 'UploadFailure'],
      required: [true, true, 'UploadFailure'],
    })
  })
})

/** A program as a bundler makes it, in a folder of its own, where nothing else can be found. */
async function bundled(program: string, format: 'esm' | 'cjs'): Promise<{ path: string; code: string }> {
  const folder = temporaryFolder()
  const [input, path] = [
    join(folder, 'program.js'),
    join(folder, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`),
  ]
  writeFileSync(input, program)
  const bundle = await rolldown({
    input,
    platform: 'node',
    resolve: {
      alias: { 'pubctl/sandbox': join(root, 'dist/sandbox.mjs'), pubctl: join(root, 'dist/index.mjs') },
    },
    external: ['libsql'],
    onLog(level, { message }) {
      throw new Error(`${level}: ${message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: basename(path),
    format,
    minify: true,
    codeSplitting: false,
  })
  await bundle.close()
  expect(output).toHaveLength(1)
  return { path, code: output[0].code }
}

const listing = `
  import { createClient } from 'pubctl'
  const client = createClient({ baseUrl: process.env.URL, key: process.env.KEY })
  client.domains.list().then(({ items }) => console.log(Array.isArray(items)), error => console.log(error))`

describe('a bundle', () => {
  it.each(share(['esm', 'cjs'] as const, 2))('runs where nothing else is, as %s', async format => {
    const { baseUrl, key } = await sandboxFor()
    const { path } = await bundled(listing, format)
    const { stdout } = await execa(process.execPath, [path], { env: { URL: baseUrl, KEY: key } })
    expect(stdout).toBe('true')
  })

  it('has of the library what the program uses', async () => {
    const { code } = await bundled(listing, 'esm')
    // Nine tenths of it are undici, zod and the endpoints of the service; all of the library has 700 kB.
    expect(code.length).toBeLessThan(345_000)
    expect(gzipSync(code).length).toBeLessThan(115_000)
    expect(code).not.toMatch(/libsql|META-INF|dcterms|uploadBook/)
    const empty = await bundled("import 'pubctl'\nconsole.log(1)", 'esm')
    expect(empty.code.length).toBeLessThan(100)
  })

  it('needs no function to require from', () => {
    const modules = globSync('dist/*.mjs', { cwd: root, absolute: true })
    const requiring = modules.filter(path => /\brequire\(/.test(readFileSync(path, 'utf8')))
    expect(modules.length).toBeGreaterThan(20)
    expect(requiring).toEqual([])
  })
})
