/** Items that arrive one by one, for whoever prints them as they do. */
export interface Stream<T> {
  push(item: T): void
  end(): void
  /** What has arrived since the last page, until the end. To be read once. */
  pages(): AsyncGenerator<readonly T[]>
}

export function openStream<T>(): Stream<T> {
  let waiting: T[] = []
  let isEnded = false
  let wake = () => {}
  return {
    push(item) {
      waiting.push(item)
      wake()
    },
    end() {
      isEnded = true
      wake()
    },
    async *pages() {
      for (;;) {
        if (waiting.length > 0) {
          const page = waiting
          waiting = []
          yield page
        } else if (isEnded) return
        else {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    },
  }
}
