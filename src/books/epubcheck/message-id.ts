/** What the ids of EPUBCheck's messages look like, such as `RSC-007`. */
export const isOfEpubCheck = /^[A-Z]{3}-\d{3}[a-z]?$/
