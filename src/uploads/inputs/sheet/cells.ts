/** Several values in one cell, separated by semicolons; a semicolon in a value is escaped with a backslash. */
export const listCell = (values: readonly string[] | undefined): string | undefined =>
  values?.map(value => value.replace(/[\\;]/g, '\\$&')).join('; ') || undefined

/** The values of such a cell. A backslash is literal unless a semicolon or another backslash follows. */
export function listOf(cell: string): string[] {
  const values = ['']
  for (const [part] of cell.matchAll(/[^\\;]+|\\[\\;]?|;/g)) {
    if (part === ';') values.push('')
    else values[values.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part
  }
  return values.map(value => value.trim()).filter(value => value !== '')
}
