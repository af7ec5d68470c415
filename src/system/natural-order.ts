const collator = new Intl.Collator('en', { numeric: true })

/** Compares names as people order them: "chapter 2" before "chapter 10". Different names are never equal. */
export const byName = (one: string, other: string): number =>
  collator.compare(one, other) || (one < other ? -1 : Number(one > other))
