/** A short name for a text, 32 bits in hex, by the FNV hash: to load node:crypto for it would cost a short command too much time. */
export function shortHash(text: string): string {
  let sum = 2_166_136_261
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 16_777_619)
  return (sum >>> 0).toString(16)
}
