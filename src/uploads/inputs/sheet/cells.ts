/** Several values in one cell, separated by semicolons; a semicolon in a value is escaped with a backslash. */
export const listCell = (values: readonly string[] | undefined): string | undefined =>
  values?.map(value => value.replace(/[\\;]/g, '\\$&')).join('; ') || undefined

/** The values of such a cell. A backslash is literal unless a semicolon or another backslash follows. */
export const listOf = (cell: string): string[] =>
  (cell.match(/(?:\\[\\;]|[^;])+/g) ?? [])
    .map(each => each.trim().replace(/\\([\\;])/g, '$1'))
    .filter(each => each !== '')
