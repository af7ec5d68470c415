/**
 * All values of pages as one list. They are added one by one: as arguments of `push`, a hundred thousand and some would exceed the
 * stack.
 */
export async function joinPages<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) for (const value of page) all.push(value)
  return all
}
