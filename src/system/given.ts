/** The fields that have a value: those that are neither undefined nor an empty text or list. */
export function given<T extends object>(fields: T): { [key in keyof T]?: Exclude<T[key], undefined> } {
  const found: Record<string, unknown> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== undefined && (value as { length?: unknown } | null)?.length !== 0) found[name] = value
  }
  return found as ReturnType<typeof given<T>>
}
