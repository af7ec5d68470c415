import { cutText } from '../../system/cut-text.ts'
import { ServiceFailure } from '../../system/errors.ts'
import type { Response } from '../../system/response.ts'

/** What to do about a refusal, by the error code of an S3-compatible store. */
const byCode: Readonly<Record<string, string>> = {
  EntityTooLarge: 'The store does not accept files of this size. Ask the service for its limit.',
  EntityTooSmall: 'The store takes no file this small. Check that it is complete.',
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
  BadDigest: 'The file was changed on its way. Run the upload again.',
  InvalidDigest: 'The file was changed on its way. Run the upload again.',
  IncompleteBody: 'The file did not arrive completely. Run the upload again.',
  QuotaExceeded: 'The store is full, or the account has used its quota. Ask the service.',
  SlowDown: 'The store is overloaded. Resume later; the upload continues where it stopped.',
  ExpiredToken: 'Run the upload again; it asks for a new upload session.',
}

const byStatus: Readonly<Record<number, string>> = {
  403: 'Run the upload again; it asks for a new upload session.',
  404: 'There is no such place in the store. Run the upload again; it asks for a new upload session.',
  411: 'The store requires the length of the file, and something on the way removed it. Try without a proxy.',
  412: 'Something was already uploaded there. Run the upload again; it asks for a new upload session.',
  413: 'The store, or a proxy before it, does not accept files of this size. Ask the service for its limit.',
  429: 'The store is overloaded. Resume later; the upload continues where it stopped.',
  501: 'The store does not know a header that the service requires. Report it to the service.',
  507: 'The store is full. Ask the service.',
}

/**
 * What to do about a store's refusal. With `wasRenewed`, a new session was refused as well, so that another would not help.
 */
function hintForRefusal(status: number, code: string | undefined, wasRenewed: boolean): string {
  const known = byCode[code ?? '']
  if (wasRenewed && (status === 403 || code === 'ExpiredToken') && !(known && code !== 'ExpiredToken'))
    return 'The store refuses new upload sessions too, so the service may not write there, or a clock is wrong. Report it to the service.'
  if (known) return known
  if (status >= 300 && status < 400)
    return 'The store redirects, and files are not sent to other addresses. Report it to the service.'
  return (
    byStatus[status] ??
    (status >= 500
      ? 'The store has a problem. Resume later; the upload continues where it stopped.'
      : 'Run the upload again; if that does not help, report it to the service with the message of the store.')
  )
}

/** The failure for a refusal, with the code and the message in the store's XML. */
export function refusedByStore(
  response: Response,
  text: string,
  name: string,
  wasRenewed: boolean,
): ServiceFailure {
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
