import type { ToolInput, ToolValue } from './check-input.ts'
import type { FileUse, Property } from './schema.ts'

/**
 * The words of a command line for what an agent gave. An option and its value are one word, and all arguments come after
 * `--`, so no value can be taken for an option. `fileOf` gives the path that is used for one that an agent named.
 */
export async function wordsOf(
  path: string,
  properties: readonly Property[],
  input: ToolInput,
  fileOf: (path: string, use: FileUse) => Promise<string>,
): Promise<string[]> {
  const options: string[] = []
  const values: string[] = []
  for (const { name, place, words } of properties) {
    const value = input[name]
    if (value === undefined || place.kind === 'apart') continue
    if (place.kind === 'switch') {
      const flag = value === true ? place.on : place.off
      if (flag !== undefined) options.push(flag)
      continue
    }
    for (const each of textsOf(value)) {
      const { file } = place
      const text = file === undefined || words.includes(each) ? each : await fileOf(each, file)
      if (place.kind === 'argument') values.push(text)
      else options.push(`${place.flag}=${text}`)
    }
  }
  return [...path.split(' '), ...options, ...(values.length > 0 ? ['--', ...values] : [])]
}

const textsOf = (value: ToolValue): string[] => (Array.isArray(value) ? value : [value]).map(String)
