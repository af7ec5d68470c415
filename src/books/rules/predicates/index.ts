import type { Predicate } from '../predicate.ts'
import { accessibility, rights } from './accessibility.ts'
import { book, name, sound } from './book.ts'
import { alternatives, bookLanguages as languages, pages, scripts, styles } from './content.ts'
import { tableOfContents as contents } from './contents.ts'
import { cover } from './cover.ts'
import { feed } from './feed.ts'
import { files, fonts, images } from './files.ts'
import { isbn, metadata, problems, title } from './metadata.ts'

/** What rules can ask of a book, by name: the schema of rules, their errors and docs/rules.md are made from it. */
export const predicates: Readonly<Record<string, Predicate>> = {
  ...{ book, name, feed, title, isbn, metadata, languages, rights, accessibility },
  ...{ cover, images, fonts, files, sound },
  ...{ contents, pages, styles, scripts, alternatives, problems },
}
