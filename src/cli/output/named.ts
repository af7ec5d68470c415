const before = /(^|[\s"'/\\])$/
const after = /^([\s"':;,]|\.?$)/

/** Whether a message contains a name as a whole word, so that the name need not be put before it. */
export function isNamedIn(message: string, name: string): boolean {
  const at = message.indexOf(name)
  return at !== -1 && before.test(message.slice(0, at)) && after.test(message.slice(at + name.length))
}
