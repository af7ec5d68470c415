import { UsageFailure } from './errors.ts'
import type { MayRead } from './may-read.ts'
import { readTextFile } from './open-file.ts'

/** What is wrong with the data of a file, and where: the names and positions that lead to it. */
export interface DataFault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

interface DataFile<T> {
  /** The longest file that is read, in bytes. */
  readonly most: number
  /** The code of the failure, and what it says to do. */
  readonly code: 'bad_receiver' | 'bad_rules'
  readonly hint: string
  /** The data as what they are, or what is wrong with them. */
  readonly check: (value: unknown) => { readonly data: T } | { readonly fault: DataFault }
}

/**
 * The data of a file in YAML or JSON that a person wrote. Throws UsageFailure with line and column for one that says something
 * else than it may, and as `readTextFile`.
 */
export async function readDataFile<T>(path: string, mayRead: MayRead, file: DataFile<T>): Promise<T> {
  const { code, hint, most } = file
  const text = await readTextFile(path, mayRead, most)
  const { isNode } = await import('yaml')
  const { readYaml, yamlErrorText } = await import('./yaml-document.ts')
  const bad = (says: string): UsageFailure =>
    new UsageFailure(`${path} cannot be used: ${says}`, { code, hint })
  const { document, placeOf, fault } = read()
  if (fault) throw bad(`${fault.says}: ${fault.place}`)
  const checked = file.check(plainValue())
  if ('data' in checked) return checked.data
  const { message } = checked.fault
  const names = checked.fault.path.map(String)
  const offset = offsetAt(names) ?? 0
  throw bad(`${[names.join('.'), message].filter(Boolean).join(': ')}: ${placeOf(offset)}`)

  function read() {
    try {
      return readYaml(text)
    } catch (error) {
      throw bad(yamlErrorText(error as Error))
    }
  }

  /** Where the value begins, or else the closest thing around it that is there. */
  function offsetAt(path: readonly string[]): number | undefined {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (isNode(node) || path.length === 0) return isNode(node) ? node.range?.[0] : undefined
    return offsetAt(path.slice(0, -1))
  }

  /** Aliases are of no use in so little, and can be made to take all memory. */
  function plainValue(): unknown {
    try {
      return document.toJS({ maxAliasCount: 0 })
    } catch (error) {
      throw bad(error instanceof RangeError ? yamlErrorText(error) : 'has an alias, which is of no use there')
    }
  }
}
