import { UsageFailure } from '../system/errors.ts'

/**
 * Removes the line break at the end of a file, standard input or a command's output, which is not part of the key, nor are the
 * blanks before it: `echo <key> > file` of Windows' command line leaves one.
 */
export function withoutFinalNewline(text: string): string {
  const line = text.replace(/\r?\n$/, '')
  const key = line.trimEnd()
  return /[\r\n]/.test(line.slice(key.length)) ? line : key
}

/**
 * Returns the key if an HTTP header can hold it, else throws UsageFailure `unfit_key`. The message names `source` and never
 * contains the key.
 */
export function checkKey(key: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageFailure(
    key === ''
      ? `the key from ${source} is empty`
      : `the key from ${source} holds a space, a line break or another character that no key has, ${place(key)}`,
    {
      code: 'unfit_key',
      hint: 'A key is one word of plain letters, digits and signs; look for a stray quote or line.',
    },
  )
}

/** Where the first invalid character is. */
function place(key: string): string {
  const index = key.search(/[^\x21-\x7e]/)
  if (index === 0) return 'at its start'
  return /[\x21-\x7e]/.test(key.slice(index)) ? `after ${index} characters` : 'at its end'
}
