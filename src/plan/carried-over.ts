import type { Overrides } from './book-fields.ts'
import { factsOfFile, type KnownPublication } from './known.ts'

/** The values of a publication's current edition that a new edition has to be given again to keep them. */
export function carriedOver({ editions }: KnownPublication): Overrides {
  const edition = editions.find(({ isCurrent }) => isCurrent) ?? editions[0]
  const { title, author, metadata } = edition?.fields ?? {}
  const given = Object.entries(metadata ?? {}).filter(
    // The hash is that of the content, which is another now.
    ([name, value]) => value !== null && value !== undefined && name !== 'sha256' && !factsOfFile.has(name),
  )
  const { isbn, publisher, ...further } = Object.fromEntries(given)
  return {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author: [...author] }),
    ...(typeof isbn === 'string' && { isbn }),
    ...(typeof publisher === 'string' && { publisher }),
    ...(Object.keys(further).length > 0 && { metadata: further }),
  }
}
