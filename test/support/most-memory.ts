/**
 * How many MiB a process may have at its peak, whatever it is given. The V8 of later versions than Node 20's lets more
 * garbage lie about before it clears up.
 */
export const mostMemory = process.version.startsWith('v20.') ? 150 : 200
