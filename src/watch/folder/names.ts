import { typeByName } from '../../system/book-extensions.ts'
import { UsageFailure } from '../../system/errors.ts'
import { ignoresCase } from '../../system/ignores-case.ts'

/** What a file in a hot folder is, by its name. */
export type FileKind = 'book' | 'sheet' | 'image' | 'other'

const sheetName = /\.(?:csv|ya?ml|json|xml|onix|onx)$/i
const imageName = /\.(?:png|jpe?g|gif|webp|svg)$/i

/** Names that programs give to files while they write them, and hidden files: nothing is said about these. */
const unfinished = /^\.|~$|^~\$|\.(?:part|partial|tmp|temp|crdownload|download|filepart|swp)$/i

export const isUnfinishedName = (name: string): boolean => unfinished.test(name)

export function kindOf(name: string): FileKind {
  if (typeByName(name) !== undefined) return 'book'
  if (sheetName.test(name)) return 'sheet'
  return imageName.test(name) ? 'image' : 'other'
}

/** `--trigger`: which file says that another one is complete. */
export interface Trigger {
  readonly pattern: string
  isTrigger(name: string): boolean
  /** The names of the triggers of a file: `book.epub.ready` and `book.ready`. */
  namesFor(name: string): readonly string[]
  /** Finds the trigger of a file among the names in its folder. */
  among(names: readonly string[]): (name: string) => string | undefined
}

/** Reads a pattern with one `*`, which stands for the name of a file, with or without its extension. */
export function parseTrigger(pattern: string, platform: NodeJS.Platform = process.platform): Trigger {
  const asCompared = (name: string): string => (ignoresCase(platform) ? name.toLowerCase() : name)
  const [before, after, ...more] = pattern.split('*')
  const isName = before !== undefined && after !== undefined && more.length === 0 && !/[\\/]/.test(pattern)
  if (!isName || before + after === '') {
    throw new UsageFailure(`"${pattern}" is not a name with one * in it`, {
      hint: "Write it like '*.ready', in quotes: book.epub then waits for book.epub.ready or book.ready.",
    })
  }
  const namesFor = (name: string): string[] =>
    [name, name.replace(/\.[^.]+$/, '')].map(each => `${before}${each}${after}`)
  return {
    pattern,
    isTrigger: name =>
      name.length > pattern.length - 1 &&
      asCompared(name).startsWith(asCompared(before)) &&
      asCompared(name).endsWith(asCompared(after)),
    namesFor,
    among(names) {
      const known = new Map(names.map(name => [asCompared(name), name]))
      return name =>
        namesFor(name)
          .map(each => known.get(asCompared(each)))
          .find(each => each !== undefined)
    },
  }
}
