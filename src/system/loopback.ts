// Without Node's network, since every command reads addresses.

/**
 * Whether a host, as a URL has it, is this machine itself: 127.0.0.0/8, ::1, or `localhost`, which client/localhost.ts
 * holds to that when it connects. A name below `localhost` may be whatever a resolver makes of it.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))

/** Whether an address is one of this machine itself, written as Node and URLs do. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)
