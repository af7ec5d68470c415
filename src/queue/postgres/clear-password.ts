import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { UsageFailure } from '../../system/errors.ts'
import { isLoopbackAddress } from '../../system/loopback.ts'

/** What the driver's client has that its types do not say. */
interface Connection extends EventEmitter {
  readonly ssl: unknown
  readonly stream: Socket
}

/**
 * A client of the driver that never sends a password in clear: without TLS, a server that asks for one is left, and so is
 * one that `localhost` leads to on another machine.
 */
export function guardPassword(base: typeof Client): typeof Client {
  return class extends base {
    constructor(config: ConstructorParameters<typeof Client>[0]) {
      super(config)
      const { connection, host } = this as unknown as { connection: Connection; host: string }
      if (connection.ssl) return
      // These come before what the client itself does then, which finds the connection closed.
      connection.once('authenticationCleartextPassword', () => connection.stream.destroy(askedInClear()))
      connection.once('connect', () => {
        const { remoteAddress } = connection.stream
        if (host === 'localhost' && remoteAddress !== undefined && !isLoopbackAddress(remoteAddress))
          connection.stream.destroy(notThisMachine())
      })
    }
  }
}

const askedInClear = (): UsageFailure =>
  new UsageFailure('the server of the database asks for the password in clear, without TLS', {
    code: 'database_clear_password',
    hint: 'It was not sent. Let the server use scram-sha-256, or TLS: sslmode=verify-full in the address.',
  })

const notThisMachine = (): UsageFailure =>
  new UsageFailure('localhost is not an address of this machine', {
    code: 'database_refused',
    hint: 'Write 127.0.0.1 into the address of the database.',
  })
