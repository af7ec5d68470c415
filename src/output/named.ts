const before = /(^|[\s"'/\\])$/
const after = /^([\s"':;,]|\.?$)/

/** Whether a message names a thing by itself, so that it need not be named before it once more. */
export function isNamedIn(message: string, name: string): boolean {
  const at = message.indexOf(name)
  return at !== -1 && before.test(message.slice(0, at)) && after.test(message.slice(at + name.length))
}
