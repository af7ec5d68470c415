import type { Http, Request } from '../../src/system/http.ts'
import type { Response } from '../../src/system/response.ts'
import type { Clock } from '../../src/system/world.ts'
import { dead, type SimulatedProcess } from './process.ts'
import { origin, type SimulatedAnswer, type SimulatedService } from './service.ts'

/** The network between the processes and the service: a request stays on its way until nothing else can happen. */
export interface Network {
  /** The end of a process at which it sends. */
  open(process: SimulatedProcess): Http
  /** Waits for its turn among what is on its way. */
  turn(name: string): Promise<void>
  /** Carries out the request that comes next; false if none is on its way. `choose` says which one of so many. */
  deliver(choose: (count: number) => number): boolean
}

/** How long an answer takes, and how long one takes that comes late: longer than anybody waits for it. In milliseconds. */
const [quick, late] = [20, 90_000]

interface Sent {
  readonly name: string
  deliver(): void
}

export function simulatedNetwork(service: SimulatedService, clock: Clock): Network {
  const onTheWay: Sent[] = []
  const names = namesOfIds()

  const carryOut = async ({ method, url, headers }: Request, body: Buffer | undefined) =>
    await service.carryOut(method, url, headers, body)

  async function answer(process: SimulatedProcess, request: Request, name: string): Promise<Response> {
    const fault = process.reach({ kind: 'network', name })
    if (fault === 'die before') throw dead(process)
    if (fault === 'request lost') throw cut()
    if (fault === 'refused once') return asResponse({ status: 503, headers: {}, body: '' })
    const body = await bodyOf(request)
    if (fault === 'request late') {
      await clock.sleep(late)
      return asResponse(await carryOut(request, body))
    }
    const given = await carryOut(request, body)
    if (fault === 'die after') throw dead(process)
    if (fault === 'request twice') await carryOut(request, body)
    if (fault === 'answer lost' || (fault === 'answer cut' && given.body === '')) throw cut()
    await clock.sleep(fault === 'answer late' ? late : quick)
    if (fault === 'answer cut') return { ...asResponse(given), text: async () => Promise.reject(cut()) }
    return asResponse(given)
  }

  return {
    open: process => ({
      send: request =>
        new Promise((resolve, reject) => {
          const { signal } = request
          const stop = () => {
            // Or the signal would keep what it would have told for as long as all of the simulation lasts.
            for (const each of [signal, process.life]) each.removeEventListener('abort', stop)
            reject(process.life.aborted ? process.life.reason : signal.reason)
          }
          if (signal.aborted || process.life.aborted) return stop()
          for (const each of [signal, process.life]) each.addEventListener('abort', stop)
          const name = names.of(request)
          const deliver = () =>
            void answer(process, request, name)
              .then(resolve, reject)
              .finally(() => {
                for (const each of [signal, process.life]) each.removeEventListener('abort', stop)
              })
          onTheWay.push({ name, deliver })
        }),
      connect: async () => Promise.reject(new Error('nothing connects here')),
      close: async () => undefined,
    }),
    turn: name => new Promise(resolve => void onTheWay.push({ name, deliver: resolve })),
    deliver(choose) {
      // By their names, because the disk of this machine decides which of several was sent first.
      onTheWay.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
      const [next] = onTheWay.splice(choose(onTheWay.length), 1)
      next?.deliver()
      return next !== undefined
    },
  }
}

/** As undici fails when a connection is cut. */
const cut = () => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })

const asResponse = ({ status, headers, body }: SimulatedAnswer): Response => ({
  status,
  headers,
  text: async () => body,
})

async function bodyOf({ body }: Request): Promise<Buffer | undefined> {
  if (body === undefined || typeof body === 'string')
    return body === undefined ? undefined : Buffer.from(body)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Names requests by method and path, with a number for each id in the order in which they appear. */
function namesOfIds() {
  const seen = new Map<string, number>()
  const numbered = (id: string): string => {
    if (!seen.has(id)) seen.set(id, seen.size + 1)
    return `{${seen.get(id)}}`
  }
  return {
    of({ method, url }: Request): string {
      const [path = '', query = ''] = url.slice(origin.length).split('?')
      const isUpload = path.startsWith('/uploads/')
      const named = `${path}${query && !isUpload ? `?${query}` : ''}`
      return `${method} ${named.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{20,}/g, numbered)}`
    },
  }
}
