import type { Connection } from './connection.ts'
import { unfit } from './unfit.ts'

const connections = new WeakMap<object, Connection>()

/** Keeps the connection of a client. */
export const connect = (client: object, connection: Connection): void =>
  void connections.set(client, connection)

/** The connection of a client. Throws UsageFailure for anything that `createClient` did not make. */
export function connectionOf(client: object): Connection {
  const connection = connections.get(client)
  if (connection === undefined) throw unfit('client', 'what createClient returned')
  return connection
}
