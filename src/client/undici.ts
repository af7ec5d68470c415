// Of undici only what HTTP/1.1 takes. Its front door loads fetch, WebSockets, caches and mocks as well, which takes twice as
// long as Node's own start.
import { setFlagsFromString } from 'node:v8'
import type { buildConnector, Dispatcher } from 'undici'
import requestFrom from 'undici/lib/api/api-request.js'
import build from 'undici/lib/core/connect.js'

export { default as Agent } from 'undici/lib/dispatcher/agent.js'

export const request = (
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> => requestFrom.call(dispatcher, options)

/** undici compiles its parser when the first connection has come about, so that is watched for. */
export function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = build(options)
  return (to, done) =>
    connect(to, (...outcome) => {
      if (isTiering) withoutTierUp(() => done(...outcome))
      else done(...outcome)
    })
}

const isTiering = process.version.startsWith('v20.')

/**
 * On Node 20, V8 sets about optimising a WebAssembly module soon after it runs, and the process waits for that at its end:
 * for undici's parser that is longer than most commands take. A module that is compiled meanwhile gets fifty times the
 * usual budget, so that only long listings come so far. The flag is set back, since V8 takes no code from its cache that
 * was compiled under other flags.
 */
function withoutTierUp(work: () => void): void {
  setFlagsFromString('--wasm-tiering-budget=100000000')
  try {
    work()
  } finally {
    setFlagsFromString('--wasm-tiering-budget=1800000')
  }
}
