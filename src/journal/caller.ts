/** On whose behalf an upload is made: an organisation's at a service. */
export interface Caller {
  /** The service: its address, or the sandbox's folder. */
  readonly target: string
  /** `context.authentication.scopeId` of its answers; null as long as none has told it. */
  readonly scopeId: string | null
  /** Tells keys apart and holds none: two uploads with one key are of one organisation. Null in journals of old. */
  readonly keyDigest: string | null
}

/** Whether an upload of the journal is the caller's own, so far as is known. */
export function ownershipOf(upload: Caller, caller: Caller): 'own' | 'foreign' | 'not known' {
  if (upload.target !== caller.target) return 'foreign'
  if (upload.scopeId !== null && caller.scopeId !== null)
    return upload.scopeId === caller.scopeId ? 'own' : 'foreign'
  if (upload.keyDigest !== null && upload.keyDigest === caller.keyDigest) return 'own'
  // Of a service that tells no scopes everybody's uploads are the same.
  return caller.scopeId === null ? 'own' : 'not known'
}
