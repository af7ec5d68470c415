/** A key as it is shown: the first and last four characters of a long key, and nothing of a short one. */
export const maskKey = (key: string): string =>
  key.length < 20 ? '****' : `${key.slice(0, 4)}****${key.slice(-4)}`
