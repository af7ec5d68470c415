/** How far the clocks of this machine and of the service may differ, in milliseconds. */
export const clockSkew = 5 * 60_000
