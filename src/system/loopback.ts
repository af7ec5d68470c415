// Does not use node:net, because every command parses addresses and loading it takes time.

/**
 * Whether the host of a URL is this machine: 127.0.0.0/8, ::1, or `localhost`, which client/http.ts only resolves to
 * such addresses. Names below `localhost` are excluded, because a resolver may return any address for them.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))

/** Whether an IP address, as Node and URLs write it, is one of this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)
