/** The organisation that an upload is made for, at a service. */
export interface Caller {
  /** The service: its address, or the sandbox's folder. */
  readonly target: string
  /** `context.authentication.scopeId` of its answers; null before the first answer. */
  readonly scopeId: string | null
  /** A digest that distinguishes keys: uploads with the same key belong to the same organisation. Null in old journals. */
  readonly keyDigest: string | null
}

/** Whether an upload of the journal is the caller's own, so far as is known. */
export function ownershipOf(upload: Caller, caller: Caller): 'own' | 'foreign' | 'not known' {
  if (upload.target !== caller.target) return 'foreign'
  if (upload.scopeId !== null && caller.scopeId !== null)
    return upload.scopeId === caller.scopeId ? 'own' : 'foreign'
  if (upload.keyDigest !== null && upload.keyDigest === caller.keyDigest) return 'own'
  // Without scopes, the service does not separate organisations.
  return caller.scopeId === null ? 'own' : 'not known'
}
