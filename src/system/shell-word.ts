/**
 * A path or a name as one word of a POSIX shell, for a command that a person is to copy, quoted only where it has to be: a
 * name such as `x$(id).epub`, pasted as it stands, would run what is in it, and one such as `-x` would be an option.
 */
export function shellWord(text: string): string {
  const word = text.startsWith('-') ? `./${text}` : text
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
