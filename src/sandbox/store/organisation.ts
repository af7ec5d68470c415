/** A sandbox is one scope of one organisation; the service has no endpoint that makes another. */
export const scopeId = 'scope_sandbox'
export const organisationId = 'org_sandbox'
