import { nameDraft } from './complete-file.ts'
import { namesLike } from './free-names.ts'

/** Gives a draft the free name that is most like the one it was to get, such as `receipts-2.csv`; undefined if that fails. */
export function nameOther(draft: string, path: string): string | undefined {
  try {
    for (const name of namesLike(path)) if (nameDraft(draft, name)) return name
  } catch {
    // Whoever wanted the file tells why it was not written.
  }
  return undefined
}
