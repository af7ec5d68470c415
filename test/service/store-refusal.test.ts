import { describe, expect, it } from 'vitest'
import { refusedByStore } from '../../src/service/client/store-refusal.ts'

const refusal = (status: number, text = '', wasRenewed = false, headers = {}) =>
  refusedByStore({ status, headers, text: async () => text }, text, 'the upload store', wasRenewed)
const xml = (code: string) =>
  `<Error><Code>${code}</Code><Message>No.</Message><RequestId>r-1</RequestId></Error>`

const renewed = /^The store refuses new upload sessions too/

describe('the hint of a refusal by the store', () => {
  it.each<[number, string, RegExp]>([
    [400, 'EntityTooLarge', /^The store does not accept files of this size\./],
    [400, 'EntityTooSmall', /^The store takes no file this small\./],
    [404, 'NoSuchBucket', /^The store that the service named does not exist\./],
    [400, 'AuthorizationHeaderMalformed', /^The service signed for another region/],
    [301, 'PermanentRedirect', /^The store is in another region/],
    [307, 'TemporaryRedirect', /^The store is in another region/],
    [400, 'IllegalLocationConstraintException', /^The store is in another region/],
    [403, 'RequestTimeTooSkewed', /^A clock is wrong/],
    [403, 'SignatureDoesNotMatch', /^What arrived is not what the service signed\./],
    [403, 'InvalidAccessKeyId', /^The service signed with a key that its store does not know\./],
    [400, 'InvalidToken', /^The service signed with a key that its store does not know\./],
    [400, 'BadDigest', /^The file was changed on its way\./],
    [400, 'InvalidDigest', /^The file was changed on its way\./],
    [400, 'IncompleteBody', /^The file did not arrive completely\./],
    [403, 'QuotaExceeded', /^The store is full, or the account has used its quota\./],
    [503, 'SlowDown', /^The store is overloaded\./],
    [400, 'ExpiredToken', /^Run the upload again; it asks for a new upload session\.$/],
    [302, '', /^The store redirects/],
    [399, '', /^The store redirects/],
    [403, 'AccessDenied', /^Run the upload again; it asks for a new upload session\.$/],
    [404, '', /^There is no such place in the store\./],
    [411, '', /^The store requires the length of the file/],
    [412, '', /^Something was already uploaded there\./],
    [413, '', /^The store, or a proxy before it, does not accept files of this size\./],
    [429, '', /^The store is overloaded\./],
    [501, '', /^The store does not know a header that the service requires\./],
    [507, '', /^The store is full\./],
    [500, '', /^The store has a problem\./],
    [599, '', /^The store has a problem\./],
    [400, '', /^Run the upload again; if that does not help, report it/],
    [299, '', /^Run the upload again; if that does not help, report it/],
  ])('%i %s', (status, code, hint) => {
    expect(refusal(status, code && xml(code)).hint).toMatch(hint)
  })

  it('is another one where a new session was refused as well, unless the code says why', () => {
    expect(refusal(403, '', true).hint).toMatch(renewed)
    expect(refusal(403, xml('AccessDenied'), true).hint).toMatch(renewed)
    expect(refusal(400, xml('ExpiredToken'), true).hint).toMatch(renewed)
    expect(refusal(403, xml('SignatureDoesNotMatch'), true).hint).toMatch(/^What arrived/)
    expect(refusal(404, '', true).hint).toMatch(/^There is no such place/)
  })
})

describe('the words of a refusal by the store', () => {
  it('are its own, with its code and its request id', () => {
    expect(refusal(403, xml('AccessDenied'), false, { 'retry-after': '7' })).toMatchObject({
      message: 'the upload store refused the file: No. (AccessDenied)',
      status: 403,
      code: 'AccessDenied',
      requestId: 'r-1',
      retryAfter: '7',
    })
  })

  it.each([
    ['', 'status 418', 'http_418'],
    ['<Code></Code><Message></Message>', 'status 418', 'http_418'],
    ['<Code><b>x</b></Code>', 'status 418', 'http_418'],
    ['<Code>half', 'status 418', 'http_418'],
    ['xxxxxC</Code>', 'status 418', 'http_418'],
    ['<Code>C</Message><Message>M</Message>', 'M', 'http_418'],
    ['<Code>C</Code>', 'status 418 (C)', 'C'],
  ])('are the status where there are none: %j', (text, said, code) => {
    expect(refusal(418, text)).toMatchObject({ message: `the upload store refused the file: ${said}`, code })
  })

  it('are cut where they are long', () => {
    expect(refusal(400, `<Message>${'x'.repeat(5000)}</Message>`).message.length).toBeLessThan(400)
  })
})
