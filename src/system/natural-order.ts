let collator: Intl.Collator | undefined

/** Compares names as people order them: "chapter 2" before "chapter 10". Different names are never equal. */
export function byName(one: string, other: string): number {
  // Made for the first names that are compared: that takes V8 6 ms, and most commands name one book.
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other))
}
