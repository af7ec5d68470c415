import { isObject } from '../system/is-object.ts'

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Uploads that the service had not processed when a command gave up waiting. */
interface StillProcessing {
  /** The call that goes on waiting for them. */
  readonly next: ToolCall
  /** Whether nothing else failed. */
  readonly isAll: boolean
}

/** What a call left in processing, by what its command printed; undefined if it is nothing. */
export function stillProcessing(
  { tool, input }: ToolCall,
  out: string,
  err: string,
): StillProcessing | undefined {
  const error = valuesIn(err).findLast(value => isObject(value['error']))?.['error']
  if (!isObject(error)) return undefined
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : []
  const failures = error['code'] === 'part_failed' ? details : [error]
  const waited = failures.filter(({ code }) => code === 'wait_exhausted')
  if (waited.length === 0) return undefined
  return { next: waitingCall({ tool, input }, out, waited), isAll: waited.length === failures.length }
}

function waitingCall(call: ToolCall, out: string, waited: readonly Record<string, unknown>[]): ToolCall {
  if (call.tool.endsWith('_wait')) {
    const ids = waited.flatMap(({ path }) => (Array.isArray(path) ? path : []))
    return ids.length > 0 ? { tool: call.tool, input: { ...call.input, id: ids } } : call
  }
  const sent = valuesIn(out).filter(({ error }) => isObject(error) && error['code'] === 'wait_exhausted')
  const [first] = sent
  if (call.tool === 'editions_upload' && first)
    return {
      tool: 'editions_wait',
      input: { publication: first['publicationId'], edition: first['editionId'] },
    }
  const id = [...new Set(sent.map(({ publicationId }) => publicationId))].filter(each => each !== null)
  return id.length > 0 ? { tool: 'publications_wait', input: { id } } : call
}

/** The objects that stand on lines of their own. */
const valuesIn = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap(line => {
    try {
      const value: unknown = JSON.parse(line)
      return isObject(value) ? [value] : []
    } catch {
      return []
    }
  })
