/** A key as it may be shown: its first and last four characters when it is long, nothing of it when it is short. */
export const maskKey = (key: string): string =>
  key.length < 20 ? '****' : `${key.slice(0, 4)}****${key.slice(-4)}`
