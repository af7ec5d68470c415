import { UsageFailure } from '../errors.ts'

/** A file, standard input and a command end their text with a line break that is not part of the key. */
export const withoutFinalNewline = (text: string): string => text.replace(/\r?\n$/, '')

/**
 * Gives back a key that can travel in a header, or says that it cannot. `source` tells where it is from; the key itself
 * never gets into the message.
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

/** Where the first such character stands; how many good ones stand before it says nothing of the key. */
function place(key: string): string {
  const index = key.search(/[^\x21-\x7e]/)
  if (index === 0) return 'at its start'
  return /[\x21-\x7e]/.test(key.slice(index)) ? `after ${index} characters` : 'at its end'
}
