import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './program.ts'

/** A declaration at the top of a file of types. */
interface Declaration {
  readonly name: string
  readonly kind: string
  /** What its comment says, without the marks of the comment. */
  readonly doc: string
  readonly text: string
  readonly isExported: boolean
}

/** What the files of types declare, by file, and the names that each entry exports. */
interface Declarations {
  readonly declared: ReadonlyMap<string, Declaration>
  readonly exports: Readonly<Record<'index' | 'sandbox', readonly string[]>>
}

let known: Declarations | undefined

/** What the types of the library declare, as the package has them; written once, since the compiler takes seconds. */
export function readDeclarations(): Declarations {
  known ??= writtenAndRead()
  return known
}

function writtenAndRead(): Declarations {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-types-'))
  try {
    return readFrom(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readFrom(folder: string): Declarations {
  execFileSync(process.execPath, [join(root, '.ci/declarations.js'), folder])
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.d.ts'),
  )
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const declared = new Map<string, Declaration>()
  for (const file of files)
    for (const each of declarationsIn(read(file)))
      declared.set(each.name, { ...each, text: `${overloads(declared.get(each.name), each)}${each.text}` })
  const exportsOf = (file: string): string[] => [
    ...declarationsIn(read(file))
      .filter(({ isExported }) => isExported)
      .map(({ name }) => name),
    ...[...read(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/(?:type )?(\w+)/g)].map(([, name = '']) => name).filter(name => name !== 'type'),
    ),
    ...[...read(file).matchAll(/^export type \* from '\.\/(.*)\.ts'/gm)].flatMap(([, name]) =>
      exportsOf(join('library', `${name}.d.ts`)),
    ),
  ]
  return {
    declared,
    exports: {
      index: exportsOf(join('library', 'index.d.ts')),
      sandbox: exportsOf(join('library', 'sandbox.d.ts')),
    },
  }
}

const overloads = (before: Declaration | undefined, { kind }: Declaration): string =>
  before && kind === 'function' ? `${before.text}\n` : ''

/** Splits a file that the compiler wrote: what is within a declaration is indented. */
function declarationsIn(text: string): Declaration[] {
  const found: Declaration[] = []
  const head = /^(export )?(?:declare )?(function|class|const|interface|type) (\w+)/
  const lines = text.split('\n')
  let doc: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.startsWith('/**')) {
      doc = [line]
      while (!lines[at]?.endsWith('*/')) doc.push(lines[++at] as string)
      continue
    }
    const [, exported, kind, name] = head.exec(line) ?? []
    if (kind === undefined || name === undefined) {
      doc = []
      continue
    }
    const body = [line]
    while (!isEnd(lines[at] as string, kind)) body.push(lines[++at] as string)
    found.push({
      ...{ name, kind, isExported: exported !== undefined, doc: proseOf(doc) },
      text: body
        .join('\n')
        .replace(/^export (declare )?/, '')
        .replace(/^declare /, ''),
    })
    // Further signatures of a function stand below the same comment.
    if (kind !== 'function') doc = []
  }
  return found
}

const isEnd = (line: string, kind: string): boolean =>
  kind === 'interface' || kind === 'class' ? line === '}' || / \{\s*\}$/.test(line) : /^\S.*;$/.test(line)

const proseOf = (lines: readonly string[]): string =>
  lines
    .map(line => line.replace(/^\s*\/?\*+\/? ?/, '').replace(/\s*\*\/$/, ''))
    .filter(line => line !== '')
    .join(' ')
