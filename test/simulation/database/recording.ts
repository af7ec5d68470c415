import type { Row } from './tables.ts'

/** What happens at a connection, in the order in which it does. Times are those of the stand-in, as ISO 8601. */
export type Happened = { readonly session: number } & (
  | { readonly is: 'connected' | 'ended' | 'heard' }
  | {
      readonly is: 'sent'
      readonly sql: string
      readonly values: readonly unknown[]
      /** When the statement began, and when the server did. */
      readonly now: string
      readonly start: string
    }
  | { readonly is: 'answered'; readonly rows: readonly Row[] }
)

type Happens = Happened extends infer Each ? (Each extends unknown ? Omit<Each, 'session'> : never) : never

let onHappened: ((happened: Happened) => void) | undefined
let sessions = 0

/** From now on, a function hears of everything that PostgreSQL is asked, and of what its stand-in answers. */
export function recordDatabase(listener: (happened: Happened) => void): void {
  onHappened = listener
}

/** Has it written down what happens at a connection, which gets a number that no other one has. */
export function recordSession(): (happens: Happens) => void {
  const session = ++sessions
  return happens => onHappened?.({ session, ...happens } as Happened)
}
