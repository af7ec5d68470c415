import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { refused as refusal, transcriptOf } from '../support/machine/transcript.ts'
import { json, serve } from '../support/servers/server.ts'

it('whoami gives the address of a service', async () => {
  const { url } = await serve((_, response) => json(response, 200, { items: [], context: {} }))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  expect(JSON.parse((await run(['whoami', '--json'])).out)).toMatchObject({ profile: null, baseUrl: url })
})

it('whoami gives the folder of the sandbox, since its port is gone by then', async () => {
  const { sandbox, home } = machine()
  const { out } = await sandbox(['whoami', '--json'])
  expect(JSON.parse(out)).toMatchObject({
    profile: 'sandbox',
    baseUrl: `sandbox:${join(home, '.local/share/pubctl/sandbox')}`,
  })
})

it('whoami shows organisation, subject and the kind of the key', async () => {
  const { sandbox } = machine()
  const { out } = await sandbox(['whoami', '--json'])
  expect(JSON.parse(out)).toMatchObject({
    authType: 'apiKey',
    sub: expect.stringMatching(/./),
    organisationId: expect.stringMatching(/./),
    scopeId: expect.stringMatching(/./),
    scopes: ['read', 'write', 'delete'],
  })
})

const authentication = {
  sub: 'user_1',
  scopeId: 'scope_1',
  authType: 'apiKey',
  organisationId: 'org_1',
  keyId: 'k1',
  user: { email: 'ada@example.org', role: 'Editor' },
}

it.each([
  ['key id', { id: 'id_1', keyId: 'k1' }, ['read']],
  ['id', { id: 'k1', keyId: 'k2' }, ['read']],
  ['nothing of it', { id: 'id_1', keyId: 'k2' }, null],
])('whoami finds its key by %s', async (_, ids, scopes) => {
  const items = [null, { id: 'id_0', keyId: 'k0', scopes: ['write'] }, { ...ids, scopes: ['read'] }]
  const { url } = await serve((__, response) => json(response, 200, { items, context: { authentication } }))
  const { run } = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  expect(JSON.parse((await run(['whoami', '--json'])).out).scopes).toEqual(scopes)
})

/** A machine at a service that refuses to list keys. */
async function refused(error: string, context: object) {
  const { url, received } = await serve((_, response) =>
    json(response, 403, { error, message: 'The API key lacks the scope "read".', context }),
  )
  return { ...machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url }), url, received }
}

it('whoami tells what it can of a key without the scope to read', async () => {
  const { run, url, received } = await refused('AUTHENTICATION_ERROR', { requestId: 'r1', authentication })
  const { code, out, err } = await run(['whoami', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({
    profile: null,
    keyFrom: 'environment',
    baseUrl: url,
    key: 'cana****6789',
    authType: 'apiKey',
    sub: 'user_1',
    email: 'ada@example.org',
    role: 'Editor',
    organisationId: 'org_1',
    scopeId: 'scope_1',
    scopes: null,
    keyStatus: null,
  })
  expect(JSON.parse(err).warning).toMatchObject({
    code: 'scopes_unknown',
    message:
      'the key may not list keys, so its scopes and status are not known: The API key lacks the scope "read". (AUTHENTICATION_ERROR)',
  })
  expect(JSON.parse(err).warning.hint ?? null).toBeNull()
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/apikeys'])
})

it('whoami does so where the refusal does not say who the caller is', async () => {
  const { run } = await refused('AUTHENTICATION_ERROR', { requestId: 'r1' })
  const { code, out } = await run(['whoami', '--json'])
  expect({ code, sub: JSON.parse(out).sub }).toEqual({ code: 0, sub: null })
})

it('an account that is restricted is told as that, not as a scope that is missing', async () => {
  const { run } = await refused('ACCOUNT_RESTRICTED', { requestId: 'r1', authentication })
  const { code, err } = await run(['publications', 'list', '--json'])
  const hint =
    'The account is restricted, whatever the key may do; check its plan and its limits, or ask the operator of the service.'
  expect(code).toBe(4)
  expect(JSON.parse(err).error).toMatchObject({ code: 'ACCOUNT_RESTRICTED', hint })
  expect((await run(['whoami'])).err).toContain('The account is restricted')
})

it('whoami', async () => {
  const context = { requestId: 'req_1', authentication: { ...authentication, keyId: 'k1' } }
  const items = [
    { id: 'key_1', keyId: 'k0', scopes: [] },
    { id: 'key_2', keyId: 'k1', scopes: ['read'], status: 'active' },
  ]
  const { type } = await transcriptOf({ 'GET /v1/apikeys': { items, context } })
  expect(
    await type(['pubctl whoami', 'pubctl whoami --fields email,role,scopes,keyStatus']),
  ).toMatchInlineSnapshot(`
    $ pubctl whoami
    > GET /v1/apikeys
    ⇥environment⇥http://service⇥cana****6789⇥ada@example.org⇥Editor⇥scope_1⇥read⇥active⇥apiKey⇥user_1⇥org_1

    $ pubctl whoami --fields email,role,scopes,keyStatus
    > GET /v1/apikeys
    ada@example.org⇥Editor⇥read⇥active
  `)
  const card = await type('pubctl whoami --fields profile,keyFrom,key,email,role,scopes,authType', {
    columns: 80,
  })
  expect(card).toMatchInlineSnapshot(`
    $ pubctl whoami --fields profile,keyFrom,key,email,role,scopes,authType
    > GET /v1/apikeys
    key from   environment
    key        cana****6789
    email      ada@example.org
    role       Editor
    scopes     read
    auth type  apiKey
  `)
  const unknown = await transcriptOf({ 'GET /v1/apikeys': refusal(401, 'UNAUTHORIZED', 'No such key.') })
  expect(await unknown.type(['pubctl whoami', 'pubctl whoami --json'])).toMatchInlineSnapshot(`
    $ pubctl whoami
    > GET /v1/apikeys
    ! error: No such key.
    !   request id: req_1
    !   Check which key is used with "pubctl doctor", or set one with "pubctl profile setup".
    exit 3

    $ pubctl whoami --json
    > GET /v1/apikeys
    ! {"error":{"code":"UNAUTHORIZED","message":"No such key.","status":401,"requestId":"req_1","details":null,"hint":"Check which key is used with \\"pubctl doctor\\", or set one with \\"pubctl profile setup\\".","exitCode":3}}
    exit 3
  `)
})
