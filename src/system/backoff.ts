/** How pauses grow from one attempt to the next. All in one unit of time. */
interface Growth {
  readonly first: number
  readonly most: number
  /** By what each pause is longer than the one before. */
  readonly factor?: number
}

/** The pause after so many failed attempts, counted from 0. */
export const backoff = (attempts: number, { first, most, factor = 2 }: Growth): number =>
  Math.min(first * factor ** attempts, most)
