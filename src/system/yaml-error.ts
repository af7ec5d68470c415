/** What is wrong with a YAML text, in words for whoever wrote it, from an error of its document or of the parser itself. */
export function yamlErrorText({
  code,
  message,
}: {
  readonly code?: string
  readonly message: string
}): string {
  if (code === 'MULTIPLE_DOCS') return 'there is more than one document in it'
  // The parser calls itself for each level, and passes on what the system says of that.
  return message.includes('call stack') ? 'it is nested too deeply' : message
}
