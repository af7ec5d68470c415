/** The key with which the program calls the service here. It must never be seen. */
export const key = 'canary-of-the-fuzzer-0123456789'

/** Stands in the addresses of upload sessions, which must never be seen. */
export const signature = '5ec4e7c0ffee5ec4e7c0ffee'

/** Stands in addresses among other values, as in a title: who wrote it there may see it, but no error has it. */
export const givenSignature = '91f7e0c0ffee91f7e0c0ffee'
