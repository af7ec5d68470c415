/**
 * A path or a name as one word of a POSIX shell, for a command that people copy. It is quoted only if necessary: an unquoted
 * `x$(id).epub` would run the command in it, and `-x` would be an option.
 */
export function shellWord(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
