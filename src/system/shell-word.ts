/**
 * A path or a name as one word of a shell, for a command that people copy. It is quoted only if necessary: an unquoted
 * `x$(id).epub` would run the command in it, and `-x` would be an option. On Windows, double quotes are the ones that both
 * of its shells know, and no name of a file can hold one. Within them, PowerShell runs `$(…)` and ends at curly ones unless a
 * backtick comes before; the command line then finds no such file, and runs nothing. A backslash before the last one is
 * doubled, since it would otherwise make that a part of the word.
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  const word = text.startsWith('-') ? `./${text}` : text
  if (platform !== 'win32') return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  return /^[\w+=:./\\-]+$/.test(word)
    ? word
    : `"${word.replace(/(\\)"*$|"/g, '$1$1').replace(/[`$\u201c-\u201e]/g, '`$&')}"`
}
