import { createHmac, timingSafeEqual } from 'node:crypto'
import { refused } from '../service-error.ts'

/** Signs and reads continuation tokens. `listing` says which list, with which filters and order, a token belongs to. */
export interface Tokens {
  make(listing: unknown, after: string): string
  /** The key after which the page begins; 400 INVALID_REQUEST for a token that is changed, foreign, or of another list. */
  read(listing: unknown, token: string): string
}

const signatureBytes = 16

export function createTokens(secret: Buffer): Tokens {
  const sign = (listing: unknown, after: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['page', listing, after]))
      .digest()
      .subarray(0, signatureBytes)
  return {
    make: (listing, after) => Buffer.concat([sign(listing, after), Buffer.from(after)]).toString('base64url'),
    read(listing, token) {
      const bytes = Buffer.from(token, 'base64url')
      const after = bytes.subarray(signatureBytes).toString()
      // Compared as text, because base64url can encode the same bytes in several ways.
      const isCutLast = bytes.length > signatureBytes && bytes.toString('base64url') === token
      if (isCutLast && timingSafeEqual(bytes.subarray(0, signatureBytes), sign(listing, after))) return after
      throw refused(
        'The nextToken is not one of this listing: send it unchanged, with the same filters and order.',
        [{ message: 'Invalid token', path: ['nextToken'], code: 'custom' }],
      )
    },
  }
}
