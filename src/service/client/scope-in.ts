/** The scope that an answer names. It is optional, because services may leave it out, contrary to their document. */
export function scopeIn(reply: {
  context?: { authentication?: { scopeId?: unknown } | null | undefined } | null
}) {
  const scopeId = reply.context?.authentication?.scopeId
  return typeof scopeId === 'string' && scopeId !== '' ? scopeId : null
}
