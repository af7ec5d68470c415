/** What a document can meet that is read in a process of its own: time, memory, and that the process has to stay alive. */
export type Limit = 'memory' | 'time' | 'crash'

/** Why a document could not be read there: the limit that it met, or the name of an error. */
export interface ApartError {
  error: Limit | (string & {})
  message: string
}

const messages: Readonly<Record<Limit, string>> = {
  memory: 'It took too much memory',
  time: 'It took too long',
  crash: 'The process that read it crashed',
}

export const limitError = (limit: Limit): ApartError => ({ error: limit, message: messages[limit] })

export const isLimitError = (found: object): found is ApartError =>
  'error' in found && String(found.error) in messages

/** What a document may take of the process that reads it. */
export interface ApartLimits {
  /** How long the reader may take to be loaded, and then for one document, in milliseconds. */
  readonly loading: number
  readonly reading: number
  /** How much of the processor's time a document may take, in milliseconds. */
  readonly processorTime: number
  /** How often that is looked at, in milliseconds. */
  readonly watchInterval: number
  /** How much the heap of the reader may hold, of old and of young values. */
  readonly heapMebibytes: number
  readonly youngMebibytes: number
  /** How many bytes the process may grow by from when the reader is loaded. */
  readonly growth: number
}
