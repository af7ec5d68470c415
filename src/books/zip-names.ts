import { quotedText } from './book.ts'
import type { Problems } from './problems.ts'
import type { Zip } from './zip.ts'

/** Adds what is wrong with the directory of the zip and the names in it. */
export function checkDirectory(zip: Zip, problems: Problems): void {
  const { directoryError, isTooLarge, duplicates, outside, notUtf8, trailingBytes } = zip
  if (trailingBytes > 0) {
    const what = trailingBytes === 1 ? 'A byte follows' : `${trailingBytes.toLocaleString('en')} bytes follow`
    const message = `${what} the end of the zip, and some programs refuse such a file.`
    problems.push({ severity: 'warning', code: 'zip_trailing_bytes', message })
  }
  if (isTooLarge) {
    const message = 'The zip has more entries than are read: a hundred thousand, or 16 MiB of names.'
    problems.push({ severity: 'error', code: 'zip_too_large', message })
  } else if (directoryError !== undefined) {
    const message = `The directory of the zip is damaged: ${directoryError}.`
    problems.push({ severity: 'error', code: 'zip_damaged', message })
  }
  for (const place of outside) {
    const message = 'An entry of the zip has a name that leads out of the book.'
    problems.push({ severity: 'error', code: 'entry_outside', message, place })
  }
  for (const place of duplicates) {
    const message = 'The zip has two entries of this name, and programs differ in which one they read.'
    problems.push({ severity: 'error', code: 'entry_doubled', message, place })
  }
  for (const place of notUtf8) {
    const message = 'The name of this entry is not UTF-8, so programs differ in how they read it.'
    problems.push({ severity: 'warning', code: 'entry_name_not_utf8', message, place })
  }
}

/** Adds what is wrong with the names of an EPUB's entries, which have to be fit for every file system. */
export function checkNames({ entries, notUtf8, emptyFolders }: Zip, problems: Problems): void {
  for (const place of emptyFolders) {
    problems.push({ severity: 'warning', code: 'folder_empty', message: 'Nothing is in this folder.', place })
  }
  const seen = new Map<string, string>()
  const spaced: string[] = []
  for (const name of entries.keys()) {
    const folded = name.normalize().toUpperCase().toLowerCase()
    const alike = seen.get(folded)
    if (alike !== undefined) {
      const message = `Its name differs from ${quotedText(alike)} in case or accents only, and many systems take the two for one file.`
      problems.push({ severity: 'warning', code: 'entry_names_alike', message, place: name })
    }
    seen.set(folded, name)
    const forbidden = forbiddenIn(name)
    if (forbidden !== undefined && !notUtf8.includes(name)) {
      const message = `Its name has the character ${quotedText(forbidden)}, which names in a book may not have.`
      problems.push({ severity: 'warning', code: 'entry_name_forbidden', message, place: name })
    } else if (/\.(?:\/|$)/.test(name)) {
      const message = 'Its name ends with a full stop, which Windows leaves out.'
      problems.push({ severity: 'warning', code: 'entry_name_forbidden', message, place: name })
    } else if (/\s/.test(name)) spaced.push(name)
  }
  const [place] = spaced
  if (place === undefined) return
  const message =
    spaced.length === 1
      ? 'Its name has a space.'
      : `Its name has a space, as have ${spaced.length - 1} other names.`
  problems.push({ severity: 'warning', code: 'entry_name_space', message, place })
}

/**
 * The first character of a name that OCF forbids (EPUB 3.3, 4.2.3): marks that file systems use, control characters, private use.
 * Unicode's tables, which take 0.4 ms to make, are asked about unusual names alone.
 */
const forbiddenIn = (name: string): string | undefined =>
  /^[\w ./-]*$/.test(name)
    ? undefined
    : /["*:<>?\\|\p{Cc}\p{Co}\uFFF0-\uFFFF]|\p{Noncharacter_Code_Point}/u.exec(name)?.[0]
