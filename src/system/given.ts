/** The fields that have a value: those that are neither undefined nor an empty text or list. */
export const given = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value?.length !== 0),
  ) as { [key in keyof T]?: Exclude<T[key], undefined> }
