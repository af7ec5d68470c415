import type { Dispatcher } from 'undici'
import { NetworkFailure } from '../../system/errors.ts'
import type { Request } from '../../system/http.ts'
import type { Response } from '../../system/response.ts'

/** The longest answer that is read, in bytes: about a hundred times the largest page or record. */
const longestAnswer = 16 * 1024 * 1024

/**
 * Sends a request with undici and collects its answer, without the streams and promises that undici's `request` would make of each.
 * Resolves when the head of the answer is there. Throws undici's errors, and what `signal` or `limit` ends it with as soon as
 * they do, also while undici connects, when it looks at no signal.
 */
export const dispatch = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  limit: Request['limit'],
): Promise<Response> =>
  new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let ended: { readonly error: Error } | undefined
    let endLimit: (() => void) | undefined
    const body = collectBody(error => controller?.abort(error))
    const over = () => {
      signal.removeEventListener('abort', stop)
      endLimit?.()
    }
    const fail = (error: Error) => {
      over()
      body.fail(error)
      reject(error)
    }
    const end = (error: Error) => {
      ended = { error }
      fail(error)
      controller?.abort(error)
    }
    const stop = () => end(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    endLimit = limit?.(end)
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        if (ended) started.abort(ended.error)
      },
      onResponseStart(_, status, headers) {
        if (status >= 200) resolve({ status, headers, text: body.text })
      },
      onResponseData: (_, chunk) => body.add(chunk),
      onResponseEnd() {
        over()
        body.end()
      },
      onResponseError: (_, error) => fail(error),
    })
  })

/** The body of an answer. `abort` is called once it is too long. */
function collectBody(abort: (error: NetworkFailure) => void) {
  const chunks: Buffer[] = []
  let length = 0
  let most = longestAnswer
  let state: 'open' | 'ended' | { readonly error: Error } = 'open'
  let onEnd: (() => void) | undefined
  const settle = (to: typeof state) => {
    if (state !== 'open') return
    state = to
    onEnd?.()
  }
  const fail = (error: Error) => settle({ error })
  const checkLength = () => {
    if (length <= most) return
    const error = tooLong(most)
    fail(error)
    abort(error)
  }
  return {
    fail,
    end: () => settle('ended'),
    add(chunk: Buffer) {
      if (state !== 'open') return
      chunks.push(chunk)
      length += chunk.length
      checkLength()
    },
    async text(limit = longestAnswer): Promise<string> {
      most = limit
      checkLength()
      if (state === 'open')
        await new Promise<void>(resolve => {
          onEnd = resolve
        })
      if (typeof state === 'object') throw state.error
      const [first = Buffer.alloc(0)] = chunks
      return (chunks.length > 1 ? Buffer.concat(chunks) : first).toString('utf8')
    },
  }
}

const tooLong = (limit: number) =>
  new NetworkFailure(`the answer is longer than ${Math.floor(limit / 1024)} KiB, the most that is read`, {
    code: 'bad_reply',
    hint: 'Check that the address is that of the service. For a list, --limit asks for less.',
  })
