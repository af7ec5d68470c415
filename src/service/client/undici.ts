// Only the parts of undici that HTTP/1.1 needs. Its main module also loads fetch, WebSockets, caches and mocks, which would
// take 22 ms more than a request's 58, where Node itself starts in 20.
import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import connectFrom from 'undici/lib/api/api-connect.js'
import build from 'undici/lib/core/connect.js'
import { passOverInterimAnswers } from './interim-answers.ts'

export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as Client } from 'undici/lib/dispatcher/client.js'

/** Sends CONNECT, and gives the connection whatever the answer is. */
export const sendConnect = (
  dispatcher: Dispatcher,
  options: Dispatcher.ConnectOptions,
): Promise<Dispatcher.ConnectData> => connectFrom.call(dispatcher, options)

/** Makes connections. `onSocket` is told of each before it is made. */
export function createConnector(
  options: buildConnector.BuildOptions,
  onSocket: (socket: Socket) => void = () => undefined,
): buildConnector.connector {
  // Its type does not say that it gives the connection at once.
  const connect = build(options) as (...to: Parameters<buildConnector.connector>) => Socket
  return (to, done) => {
    const socket = connect(to, (...outcome) => {
      const [, socket] = outcome
      if (socket) passOverInterimAnswers(socket)
      // undici compiles its parser when it is given the first connection; not each is made for undici.
      if (isTiering) withoutTierUp(() => done(...outcome))
      else done(...outcome)
    })
    onSocket(socket)
  }
}

const isTiering = process.version.startsWith('v20.')

/**
 * On Node 20, V8 optimises a WebAssembly module that has run for some thirty answers, and the process waits for that before it exits;
 * for undici's parser that takes 90 ms, which are not made up for by 10,000 answers. A module that is compiled while `work` runs stays as it
 * is compiled at first: all of it at once, or V8 would ask its flags again when a function is first called. They are reset, because
 * V8's code cache is only valid for the same flags.
 */
function withoutTierUp(work: () => void): void {
  // Loaded now, since only Node 20 needs it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  const set = (prefix: '' | 'no-') => {
    for (const flag of ['wasm-lazy-compilation', 'wasm-tier-up', 'wasm-dynamic-tiering'])
      setFlagsFromString(`--${prefix}${flag}`)
  }
  set('no-')
  try {
    work()
  } finally {
    set('')
  }
}
