/** The types of books by the extensions of their names. */
const types = { epub: 'EPUB', pdf: 'PDF', lpf: 'Audio', audiobook: 'Audio' } as const

type Extension = keyof typeof types

export const bookExtensions: readonly string[] = Object.keys(types)

/** The type of a book by the name of its file; undefined for other names. */
export function typeByName(path: string): (typeof types)[Extension] | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? types[extension as Extension] : undefined
}
