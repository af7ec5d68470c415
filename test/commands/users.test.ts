import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'

const ada = {
  id: 'user_1',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  role: 'Editor',
  status: 'active',
  billing: { planId: 'pro' },
}

const service = (result: object) =>
  transcriptOf({ 'GET /v1/users': { items: [ada] }, 'DELETE /v1/users': { result } })

it('users list', async () => {
  const { type } = await service({})
  expect(
    await type([
      'pubctl users list',
      'pubctl users list --search "ada l" --json',
      'pubctl users list --limit 1 --fields id,billing.planId',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl users list
    > GET /v1/users
    user_1⇥ada@example.org⇥Ada⇥Lovelace⇥Editor⇥active

    $ pubctl users list --search "ada l" --json
    > GET /v1/users?searchTerm=ada+l
    [
    {"id":"user_1","email":"ada@example.org","firstName":"Ada","lastName":"Lovelace","role":"Editor","status":"active","billing":{"planId":"pro"}}
    ]

    $ pubctl users list --limit 1 --fields id,billing.planId
    > GET /v1/users
    user_1⇥pro
  `)
  expect(await type('pubctl users list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl users list
    > GET /v1/users
    ID      EMAIL            FIRST NAME  LAST NAME  ROLE    STATUS
    user_1  ada@example.org  Ada         Lovelace   Editor  active
  `)
  const forbidden = await transcriptOf({
    'GET /v1/users': refused(403, 'AUTHENTICATION_ERROR', 'Not yours to see.'),
  })
  expect(await forbidden.type('pubctl users list')).toMatchInlineSnapshot(`
    $ pubctl users list
    > GET /v1/users
    ! error: Not yours to see.
    !   request id: req_1
    !   The key may lack the scope for this; "pubctl whoami" shows its scopes.
    exit 4
  `)
})

it('users delete-me', async () => {
  const { type } = await service({ success: true })
  expect(
    await type([
      'pubctl users delete-me --yes',
      'pubctl users delete-me --yes --json',
      'pubctl users delete-me --dry-run',
      'pubctl users delete-me',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl users delete-me --yes
    > DELETE /v1/users
    true⇥

    $ pubctl users delete-me --yes --json
    > DELETE /v1/users
    {"success":true}

    $ pubctl users delete-me --dry-run
    DELETE⇥http://service/v1/users⇥

    $ pubctl users delete-me
    ! error: pubctl needs an answer to "This deletes your own user and its keys, and cannot be undone. To go on, type "delete me"", and cannot ask here
    !   Pass --yes.
    exit 9
  `)
  const owner = await service({ success: false, error: 'The owner of an organisation stays.' })
  expect(await owner.type('pubctl users delete-me --yes')).toMatchInlineSnapshot(`
    $ pubctl users delete-me --yes
    > DELETE /v1/users
    false⇥The owner of an organisation stays.
    ! error: the user was not deleted: The owner of an organisation stays.
    exit 6
  `)
  const silent = await service({ success: false })
  expect(await silent.type('pubctl users delete-me --yes --json')).toMatchInlineSnapshot(`
    $ pubctl users delete-me --yes --json
    > DELETE /v1/users
    {"success":false}
    ! {"error":{"code":"not_deleted","message":"the user was not deleted: the service does not say why","status":null,"requestId":null,"details":null,"hint":null,"exitCode":6}}
    exit 6
  `)
})

it('users delete-me has a person type it', async () => {
  const { answer } = await service({ success: true })
  expect(await answer('pubctl users delete-me', [/"delete me"/, 'delete you\r'])).toMatchInlineSnapshot(`
    $ pubctl users delete-me
    ! ✔ This deletes your own user and its keys, and cannot be undone. To go on, type
    ! "delete me" delete you
    ! error: what you typed does not match, so nothing was deleted
    exit 2
  `)
  expect(await answer('pubctl users delete-me', [/"delete me"/, 'delete me \r'])).toMatchInlineSnapshot(`
    $ pubctl users delete-me
    > DELETE /v1/users
    success  yes
    ! ✔ This deletes your own user and its keys, and cannot be undone. To go on, type
    ! "delete me" delete me
  `)
})
