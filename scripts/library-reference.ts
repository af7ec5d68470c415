import { readDeclarations } from './declarations.ts'

/** The reference of the library: what its types say. */
export function libraryReference(): Map<string, string> {
  const { declared, exports } = readDeclarations()
  const entry = (name: string): string[] => {
    const { doc = '', text = '' } = declared.get(name) ?? {}
    // Errors are thrown by pubctl alone, so how they are made is not public.
    const shown = text.replace(/^ {4}constructor\(.*?\);\n/gms, '')
    return [`### ${name}`, '', ...(doc === '' ? [] : [doc, '']), '```ts', shown, '```', '']
  }
  const part = (title: string, names: readonly string[], kinds: RegExp): string[] => {
    const chosen = names.filter(name => kinds.test(declared.get(name)?.kind ?? '')).sort()
    return chosen.length === 0 ? [] : [`## ${title}`, '', ...chosen.flatMap(entry)]
  }
  const page = [
    '# Reference of the library',
    '',
    'What [the library](library.md) exports, as its types say it. This page is written by `npm run generate`.',
    '',
    ...part('pubctl', exports.index, /^(function|const)$/),
    ...part('pubctl: errors', exports.index, /^class$/),
    ...part('pubctl/sandbox', exports.sandbox, /^(function|const|class|interface|type)$/),
    ...part('pubctl: types', exports.index, /^(interface|type)$/),
  ]
  return new Map([['docs/library-reference.md', page.join('\n')]])
}
