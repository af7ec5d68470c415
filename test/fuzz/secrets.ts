/** The key with which the program calls the service here. It must never be seen. */
export const key = 'canary-of-the-fuzzer-0123456789'

/** Stands in the addresses of upload sessions, which must never be seen. */
export const signature = '5ec4e7c0ffee5ec4e7c0ffee'
