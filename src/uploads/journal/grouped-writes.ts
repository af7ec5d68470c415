import type { Database } from '../../system/database.ts'

/** Writes of several uploads, of which those that are asked for at about the same time are one transaction. */
export interface GroupedWrites {
  /**
   * Does some work in the next transaction; its result is there once that has been committed. `isBrief` is for work that is
   * asked for again where the database is busy, instead of being waited for. As it may be done twice, it must leave nothing
   * behind but rows.
   */
  write<T>(work: () => T, options: { readonly isBrief: boolean }): Promise<T>
  /** Does everything that has been asked for. */
  flush(): void
}

interface Waiting {
  readonly work: () => unknown
  readonly isBrief: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export function groupWrites(
  db: Pick<Database, 'write' | 'briefly'>,
  isBusy: (error: unknown) => boolean,
): GroupedWrites {
  let waiting: Waiting[] = []

  const commit = (works: readonly Waiting[]): void => {
    const patient = works.filter(({ isBrief }) => !isBrief)
    const isBrief = patient.length < works.length
    const write = () => db.write(() => works.map(({ work }) => work()))
    try {
      const results = isBrief ? db.briefly(write) : write()
      for (const [index, { resolve }] of works.entries()) resolve(results[index])
    } catch (error) {
      const isAgain = isBrief && isBusy(error)
      for (const each of works) if (each.isBrief || !isAgain) each.reject(error)
      if (isAgain && patient.length > 0) commit(patient)
    }
  }
  const flush = (): void => {
    const works = waiting
    waiting = []
    if (works.length > 0) commit(works)
  }
  return {
    write: <T>(work: () => T, { isBrief }: { readonly isBrief: boolean }) =>
      new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ work, isBrief, resolve: resolve as Waiting['resolve'], reject })
      }),
    flush,
  }
}
