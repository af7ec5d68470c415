import { expect, it } from 'vitest'
import { isRefusal, isRetryable } from '../../src/service/client/retryable.ts'
import { NetworkFailure, ServiceFailure, UsageFailure } from '../../src/system/errors.ts'

const refused = (status: number, code = 'E') => new ServiceFailure('no', { status, code, hint: '' })
const network = (code: string) => new NetworkFailure('no', { code, hint: '' })

it.each([
  // What may be tried again, and what was refused for good; some are neither.
  ['a lost connection', network('network'), 'retryable'],
  ['a service that is silent', network('timeout'), 'retryable'],
  ['an answer of the wrong shape', network('bad_reply'), ''],
  ['a certificate', network('certificate'), ''],
  ['400', refused(400), 'refusal'],
  ['401', refused(401), ''],
  ['403', refused(403), ''],
  ['404', refused(404), 'refusal'],
  ['408', refused(408), 'retryable'],
  ['409', refused(409), 'refusal'],
  ['425', refused(425), 'retryable'],
  ['429', refused(429), 'retryable'],
  ['499', refused(499), 'refusal'],
  ['500', refused(500), 'retryable'],
  ['503', refused(503), 'retryable'],
  ['599', refused(599), 'retryable'],
  ['400 SlowDown', refused(400, 'SlowDown'), 'retryable refusal'],
  ['400 IncompleteBody', refused(400, 'IncompleteBody'), 'retryable refusal'],
  ['400 RequestTimeout', refused(400, 'RequestTimeout'), 'retryable refusal'],
  ['409 OperationAborted', refused(409, 'OperationAborted'), 'retryable refusal'],
  ['a mistake of the user', new UsageFailure('no'), ''],
  ['a fault', new TypeError('no'), ''],
])('%s', (_, error, facts) => {
  const seen = { retryable: isRetryable(error), refusal: isRefusal(error) }
  expect(
    Object.entries(seen)
      .flatMap(([name, is]) => (is ? name : []))
      .join(' '),
  ).toBe(facts)
})
