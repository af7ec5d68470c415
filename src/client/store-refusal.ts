import { cutText } from '../cut-text.ts'
import { ServiceFailure } from '../errors.ts'
import type { Response } from './response.ts'

/** What a person can do about a refusal, by the code that a store of S3's kind gives. */
const byCode: Readonly<Record<string, string>> = {
  EntityTooLarge: 'The store takes no file of this size. Ask the service for its limit.',
  EntityTooSmall: 'The store takes no file this small. Is it whole?',
  NoSuchBucket: 'The store that the service named does not exist. Report it to the service.',
  AuthorizationHeaderMalformed:
    'The service signed for another region than that of its store. Report it to the service.',
  PermanentRedirect: 'The store is in another region than the service says. Report it to the service.',
  TemporaryRedirect: 'The store is in another region than the service says. Report it to the service.',
  IllegalLocationConstraintException:
    'The store is in another region than the service says. Report it to the service.',
  RequestTimeTooSkewed:
    'A clock is wrong: that of the service, or of this machine, which "pubctl doctor" checks.',
  SignatureDoesNotMatch:
    'What arrived is not what the service signed. A proxy may have changed the request; try without it, else report it.',
  InvalidAccessKeyId: 'The service signed with a key that its store does not know. Report it to the service.',
  InvalidToken: 'The service signed with a key that its store does not know. Report it to the service.',
  BadDigest: 'The file arrived other than it was sent. Run the upload again.',
  InvalidDigest: 'The file arrived other than it was sent. Run the upload again.',
  IncompleteBody: 'The file did not arrive whole. Run the upload again.',
  QuotaExceeded: 'The store is full, or the account has used up its room. Ask the service.',
  SlowDown: 'The store is overburdened. Go on later: the upload begins where it stopped.',
  ExpiredToken: 'Run the upload again; it asks for a fresh upload session.',
}

const byStatus: Readonly<Record<number, string>> = {
  403: 'Run the upload again; it asks for a fresh upload session.',
  404: 'There is no such place in the store. Run the upload again; it asks for a fresh upload session.',
  411: 'The store wants the length of the file, and something on the way took it off. Try without a proxy.',
  412: 'There is something in that place already. Run the upload again; it asks for a fresh upload session.',
  413: 'The store, or a proxy before it, takes no file of this size. Ask the service for its limit.',
  429: 'The store is overburdened. Go on later: the upload begins where it stopped.',
  501: 'The store does not know a header that the service requires. Report it to the service.',
  507: 'The store is full. Ask the service.',
}

/**
 * What to do about a store's refusal. `wasRenewed`: a fresh session was refused as well, so that asking for another is no
 * help.
 */
function hintForRefusal(status: number, code: string | undefined, wasRenewed: boolean): string {
  const known = byCode[code ?? '']
  if (wasRenewed && (status === 403 || code === 'ExpiredToken') && !(known && code !== 'ExpiredToken'))
    return 'The store refuses fresh upload sessions too, so the service may not write there, or a clock is wrong. Report it to the service.'
  if (known) return known
  if (status >= 300 && status < 400)
    return 'The store sends pubctl elsewhere, where a file does not go. Report it to the service.'
  return (
    byStatus[status] ??
    (status >= 500
      ? 'The fault is on the store. Go on later: the upload begins where it stopped.'
      : 'Run the upload again; if it stays, report it to the service with the message of the store.')
  )
}

/** A refusal in the store's own words: S3 answers with XML that holds a code and a message. */
export function refused(response: Response, text: string, name: string, wasRenewed: boolean): ServiceFailure {
  const code = elementText(text, 'Code')
  const message = elementText(text, 'Message')
  return new ServiceFailure(
    `${name} refused the file: ${message ?? `status ${response.status}`}${code ? ` (${code})` : ''}`,
    {
      status: response.status,
      retryAfter: [response.headers['retry-after']].flat()[0],
      code: code ?? `http_${response.status}`,
      requestId: elementText(text, 'RequestId'),
      hint: hintForRefusal(response.status, code, wasRenewed),
    },
  )
}

/** The text of the first element of a name, cut to 300 characters. Undefined where it is empty or holds other elements. */
function elementText(xml: string, name: string): string | undefined {
  const tag = xml.indexOf(`<${name}>`)
  const start = tag + name.length + 2
  const end = tag < 0 ? -1 : xml.indexOf('<', start)
  if (end <= start || !xml.startsWith(`</${name}>`, end)) return undefined
  return cutText(xml.slice(start, end), 300)
}
