import type { Book } from '../../books/index.ts'
import { fileSays } from '../../books/rights/file-says.ts'
import { joinRights } from '../../books/rights/join.ts'
import type { Product } from '../../plan/product.ts'
import { placeOf } from '../../plan/wanted.ts'
import type { Warning } from '../../system/warning.ts'
import { feedSays } from '../onix/feed-says.ts'

/** What a record declares of rights, makers and access otherwise than the file, which was read with `rights`. */
export function contradictedBy({ declared, from }: Product, file: string, book: Book): Warning[] {
  const own = declared && fileSays(book)
  if (!own) return []
  return joinRights([own, feedSays(declared, placeOf(from))]).contradictions.map(({ code, message }) => ({
    code,
    message: `${file} and ${placeOf(from)}: ${message}`,
    hint: 'Correct the one that is wrong; "inspect --rights --feed" shows what each says.',
  }))
}
