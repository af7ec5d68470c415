/** Does each work once, also if it is asked for again meanwhile; what failed is done again. */
export function once<T, K = void>(work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const done = new Map<K, Promise<T>>()
  return key => {
    const before = done.get(key)
    if (before) return before
    const now = work(key)
    done.set(key, now)
    now.catch(() => done.delete(key))
    return now
  }
}
