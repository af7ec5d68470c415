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
      // undici compiles its parser when the first connection is made.
      if (isTiering) withoutTierUp(() => done(...outcome))
      else done(...outcome)
    })
    onSocket(socket)
  }
}

const isTiering = process.version.startsWith('v20.')

/**
 * On Node 20, V8 soon optimises a WebAssembly module that runs, and the process waits for that before it exits; for undici's
 * parser that takes longer than most commands: 89 ms of a request's 147. A module that is compiled while `work` runs gets fifty times the usual
 * budget, so that only long listings reach it. The flag is reset, because V8's code cache is only valid for the same flags.
 */
function withoutTierUp(work: () => void): void {
  // Loaded now, since only Node 20 needs it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--wasm-tiering-budget=100000000')
  try {
    work()
  } finally {
    setFlagsFromString('--wasm-tiering-budget=1800000')
  }
}
