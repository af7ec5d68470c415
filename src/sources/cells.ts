/** Several values in one cell, with semicolons between; a semicolon within a value has a backslash before it. */
export const listCell = (values: readonly string[] | undefined): string | undefined =>
  values?.map(value => value.replace(/[\\;]/g, '\\$&')).join('; ') || undefined

/** The values of such a cell. A backslash stands for itself unless a semicolon or another one follows. */
export const listOf = (cell: string): string[] =>
  (cell.match(/(?:\\[\\;]|[^;])+/g) ?? [])
    .map(each => each.trim().replace(/\\([\\;])/g, '$1'))
    .filter(each => each !== '')
