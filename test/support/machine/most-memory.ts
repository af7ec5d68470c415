/**
 * How many MiB a process may have at its peak, whatever it is given. The V8 of later versions than Node 20's lets more
 * garbage lie about before it clears up, the more so on a busy machine.
 */
export const mostMemory = process.version.startsWith('v20.') ? 150 : 256
