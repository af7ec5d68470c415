import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { refused, transcriptOf } from '../support/machine/transcript.ts'
import { serve } from '../support/servers/server.ts'

const key = 'canary-spare-key-0123456789'
const service = () =>
  transcriptOf({ 'GET /v1/apikeys': { items: [] } }, { PUBCTL_BASE_URL: 'https://unused.example' })

it('profile setup', async () => {
  const { type, url } = await service()
  const setup = 'pubctl profile setup'
  const stdin = `${key}\n`
  expect(
    await type(`${setup} first --base-url ${url} --api-key-file - --dry-run`, { stdin }),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup first --base-url http://service --api-key-file - --dry-run
    > GET /v1/apikeys
    first⇥http://service⇥false⇥cana****6789⇥
  `)
  expect(await type(`${setup} first --base-url ${url} --api-key-file -`, { stdin })).toMatchInlineSnapshot(`
    $ pubctl profile setup first --base-url http://service --api-key-file -
    > GET /v1/apikeys
    first⇥http://service⇥true⇥cana****6789⇥file
    ! The profile "first" is saved in ~/.config/pubctl.
    ! Its key is kept in config.json there, which only you can read, since PUBCTL_KEYCHAIN is off.
  `)
  expect(
    await type(`${setup} second --base-url ${url} --api-key-file - --multi-value comma --json`, { stdin }),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup second --base-url http://service --api-key-file - --multi-value comma --json
    > GET /v1/apikeys
    {"name":"second","baseUrl":"http://service","isCurrent":false,"key":"cana****6789","keyCommand":null,"allowHttp":false,"multiValue":"comma","rules":[],"epubcheck":false,"keyStored":"file"}
  `)
  expect(
    await type([
      `${setup} third --base-url https://api.example.com --key-command "print key" --no-verify --allow-http`,
      `${setup} sandbox --base-url ${url} --key-command x`,
      `${setup} "a b" --base-url ${url} --key-command x`,
      `${setup} fourth --base-url http://api.example.com --key-command x`,
      `${setup} fourth --base-url nowhere --key-command x --json`,
      `${setup} fourth --key-command x`,
      `${setup} fourth --base-url ${url}`,
      `${setup} fourth --base-url ${url} --multi-value both`,
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup third --base-url https://api.example.com --key-command "print key" --no-verify --allow-http
    third⇥https://api.example.com⇥false⇥⇥command
    ! The profile "third" is saved in ~/.config/pubctl.
    ! Another profile is in use. Use this one from now on: pubctl profile use third

    $ pubctl profile setup sandbox --base-url http://service --key-command x
    ! error: the profile sandbox is built in
    !   Choose another name.
    exit 2

    $ pubctl profile setup "a b" --base-url http://service --key-command x
    ! error: "a b" cannot be the name of a profile
    !   Use up to 64 letters, digits, dots, dashes and underscores, with a letter or a digit first.
    exit 2

    $ pubctl profile setup fourth --base-url http://api.example.com --key-command x
    ! error: the address in --base-url is http, which would send the key unencrypted
    !   Use https, or allow http in a profile for this address: pubctl profile setup --allow-http.
    exit 2

    $ pubctl profile setup fourth --base-url nowhere --key-command x --json
    ! {"error":{"code":"unfit_address","message":"the address in --base-url is not an absolute http or https address","status":null,"requestId":null,"details":null,"hint":"Write it like https://api.example.com, without /v1 at its end.","exitCode":2}}
    exit 2

    $ pubctl profile setup fourth --key-command x
    ! error: pubctl needs an answer to "What is the address of the service?", and cannot ask here
    !   Pass --base-url.
    exit 9

    $ pubctl profile setup fourth --base-url http://service
    ! error: pubctl needs an answer to "Where does the key come from?", and cannot ask here
    !   Pass --api-key-file or --key-command.
    exit 9

    $ pubctl profile setup fourth --base-url http://service --multi-value both
    ! error: --multi-value: "both" is not one of its values
    !   The values are repeat, comma.
    exit 2
  `)
  expect(
    await type(`${setup} fourth --base-url ${url} --api-key-file - --key-command x`, { stdin }),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup fourth --base-url http://service --api-key-file - --key-command x
    ! error: --api-key-file and --key-command both give the key; use one
    exit 2
  `)
})

it('profile setup does not save a key that the service does not know', async () => {
  const unknown = await transcriptOf({ 'GET /v1/apikeys': refused(401, 'UNAUTHORIZED', 'No such key.') })
  const line = `pubctl profile setup work --base-url ${unknown.url} --api-key-file -`
  expect(await unknown.type(line, { stdin: `${key}\n` })).toMatchInlineSnapshot(`
    $ pubctl profile setup work --base-url http://service --api-key-file -
    > GET /v1/apikeys
    ! error: the service refused the key: No such key
    !   request id: req_1
    !   See that it is active and was copied whole, or save the profile unchecked with --no-verify.
    exit 3
  `)
  expect(await unknown.type('pubctl profile show work')).toMatchInlineSnapshot(`
    $ pubctl profile show work
    ! error: there is no profile "work"
    !   The profiles are sandbox. Add one with: pubctl profile setup
    exit 2
  `)
  const limited = await transcriptOf({ 'GET /v1/apikeys': refused(403, 'AUTHENTICATION_ERROR', 'No scope.') })
  const other = `pubctl profile setup work --base-url ${limited.url} --api-key-file - --quiet`
  expect(await limited.type(other, { stdin: `${key}\n` })).toMatchInlineSnapshot(`
    $ pubctl profile setup work --base-url http://service --api-key-file - --quiet
    > GET /v1/apikeys
    work⇥http://service⇥true⇥cana****6789⇥file
  `)
})

it('profile list, show, use and remove', async () => {
  const { type, answer, url } = await service()
  expect(
    await type(['pubctl profile show', 'pubctl profile show --json', 'pubctl profile list']),
  ).toMatchInlineSnapshot(`
    $ pubctl profile show
    ! error: there is no profile yet
    !   Set one up with: pubctl profile setup
    exit 2

    $ pubctl profile show --json
    ! {"error":{"code":"unknown_profile","message":"there is no profile yet","status":null,"requestId":null,"details":null,"hint":"Set one up with: pubctl profile setup","exitCode":2}}
    exit 2

    $ pubctl profile list
    sandbox⇥⇥false⇥⇥
  `)
  for (const name of ['first', 'second'])
    await type(`pubctl profile setup ${name} --base-url ${url} --api-key-file -`, { stdin: `${key}\n` })
  expect(
    await type([
      'pubctl profile list',
      'pubctl profile show',
      'pubctl profile show second --json',
      'pubctl profile use second --dry-run',
      'pubctl profile show --fields name',
      'pubctl profile use second',
      'pubctl profile show --fields name',
      'pubctl profile show --profile first --fields name,isCurrent',
      'pubctl profile use sandbox --json',
      'pubctl profile show',
      'pubctl profile use third',
      'pubctl profile show secnd --json',
      'pubctl profile remove second --dry-run',
      'pubctl profile remove second',
      'pubctl profile remove second --yes',
      'pubctl profile remove second --yes --json',
      'pubctl profile remove sandbox --yes',
      'pubctl profile list --query [].name',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl profile list
    first⇥http://service⇥true⇥cana****6789⇥file
    second⇥http://service⇥false⇥cana****6789⇥file
    sandbox⇥⇥false⇥⇥

    $ pubctl profile show
    first⇥http://service⇥true⇥cana****6789⇥file

    $ pubctl profile show second --json
    {"name":"second","baseUrl":"http://service","isCurrent":false,"key":"cana****6789","keyCommand":null,"allowHttp":false,"multiValue":"repeat","rules":[],"epubcheck":false,"keyStored":"file"}

    $ pubctl profile use second --dry-run

    $ pubctl profile show --fields name
    first

    $ pubctl profile use second
    ! The profile "second" is used from now on.

    $ pubctl profile show --fields name
    second

    $ pubctl profile show --profile first --fields name,isCurrent
    first⇥false

    $ pubctl profile use sandbox --json

    $ pubctl profile show
    sandbox⇥⇥true⇥⇥

    $ pubctl profile use third
    ! error: there is no profile "third"
    !   The profiles are first, second, sandbox. Add one with: pubctl profile setup
    exit 2

    $ pubctl profile show secnd --json
    ! {"error":{"code":"unknown_profile","message":"there is no profile \\"secnd\\"","status":null,"requestId":null,"details":null,"hint":"The profiles are first, second, sandbox. Add one with: pubctl profile setup","exitCode":2}}
    exit 2

    $ pubctl profile remove second --dry-run

    $ pubctl profile remove second
    ! error: pubctl needs an answer to "Remove the profile "second" and its key?", and cannot ask here
    !   Pass --yes.
    exit 9

    $ pubctl profile remove second --yes
    ! The profile "second" is gone.

    $ pubctl profile remove second --yes --json
    ! {"error":{"code":"unknown_profile","message":"there is no profile \\"second\\"","status":null,"requestId":null,"details":null,"hint":"The profiles are first, sandbox. Add one with: pubctl profile setup","exitCode":2}}
    exit 2

    $ pubctl profile remove sandbox --yes
    ! error: the profile sandbox is built in
    !   Choose another name.
    exit 2

    $ pubctl profile list --query [].name
    first
    sandbox
  `)
  expect(await type('pubctl profile show first', { columns: 200 })).toMatchInlineSnapshot(`
    $ pubctl profile show first
    name         first
    base url     http://service
    current      no
    key          cana****6789
    allow http   no
    multi value  repeat
    epubcheck    no
    key stored   file
  `)
  expect(await answer('pubctl profile remove first', [/\(y\/N\)/, 'n\r'])).toMatchInlineSnapshot(`
    $ pubctl profile remove first
    ! ✔ Remove the profile "first" and its key? No
    ! error: nothing was removed
    exit 2
  `)
  expect(await answer('pubctl profile remove first', [/\(y\/N\)/, 'y\r'])).toMatchInlineSnapshot(`
    $ pubctl profile remove first
    ! ✔ Remove the profile "first" and its key? Yes
    ! The profile "first" is gone.
  `)
})

it('profile setup asks for what is missing', async () => {
  const { answer, url } = await service()
  const line = `pubctl profile setup --no-verify --fields name,keyStored`
  expect(
    await answer(
      line,
      [/called\?/, '\r'],
      [/address of the service\?/, `${url}\r`],
      [/key come from\?/, '\u001b[B\r'],
      [/prints the key\?/, 'print key\r'],
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup --no-verify --fields name,keyStored
    name        default
    key stored  command
    ! ✔ What should the profile be called? default
    ! ✔ What is the address of the service? http://service
    ! ✔ Where does the key come from? A command prints it, such as that of a password
    ! manager
    ! ✔ Which command prints the key? print key
    ! The profile "default" is saved in ~/.config/pubctl.
  `)
  expect(
    await answer(
      `${line} --base-url ${url} --allow-http`,
      [/called\?/, 'a b\r'],
      [/cannot be the name/, '\u0015second\r'],
      [/key come from\?/, '\r'],
      [/The API key/, `${key}\r`],
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup --no-verify --fields name,keyStored --base-url http://service --allow-http
    name        second
    key stored  file
    ! ✔ What should the profile be called? second
    ! ✔ Where does the key come from? I type it; the keychain keeps it, or else a file
    !  that only I can read
    ! ✔ The API key •••••••••••••••••••••••••••
    ! The profile "second" is saved in ~/.config/pubctl.
    ! Its key is kept in config.json there, which only you can read, since
    ! PUBCTL_KEYCHAIN is off.
    ! Another profile is in use. Use this one from now on: pubctl profile use second
  `)
})

it.skipIf(process.platform === 'win32')('profile list warns of files that others can reach', async () => {
  const { type, home, url } = await service()
  await type(`pubctl profile setup first --base-url ${url} --api-key-file - --no-verify`, { stdin: key })
  chmodSync(join(home, '.config/pubctl/config.json'), 0o644)
  expect(
    await type(['pubctl profile list --quiet', 'pubctl profile show --json --fields name']),
  ).toMatchInlineSnapshot(`
    $ pubctl profile list --quiet
    first⇥http://service⇥true⇥cana****6789⇥file
    sandbox⇥⇥false⇥⇥

    $ pubctl profile show --json --fields name
    {"name":"first"}
    ! {"warning":{"code":"loose_mode","message":"others can reach ~/.config/pubctl/config.json (mode 644); close it with: chmod 600 ~/.config/pubctl/config.json","hint":null}}
  `)
})

it('profile setup passes on what is wrong with the key, and asks again for an address of another server', async () => {
  const elsewhere = await serve((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>nginx</title>')
  })
  let expired = 1
  const { answer, type, url } = await transcriptOf({
    'GET /v1/apikeys': () =>
      expired-- > 0 ? refused(401, 'UNAUTHORIZED', 'The API key has expired.') : { items: [] },
  })
  const line = 'pubctl profile setup work --fields name,baseUrl'
  const byHost = url.replace('http://', '')
  expect(
    (
      await answer(
        line,
        [/address of the service\?/, `${elsewhere.url}\r`],
        [/key come from\?/, '\r'],
        [/\? The API key/, `${key}\r`],
        [/address of the service\?/, `${byHost}/v1\r`],
        [/\? The API key/, `${key}\r`],
      )
    )
      .replaceAll(elsewhere.url, 'http://elsewhere')
      .replaceAll(byHost, 'service'),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup work --fields name,baseUrl
    > GET /v1/apikeys
    > GET /v1/apikeys
    name      work
    base url  http://service
    ! ✔ What is the address of the service? http://elsewhere
    ! ✔ Where does the key come from? I type it; the keychain keeps it, or else a file
    !  that only I can read
    ! ✔ The API key •••••••••••••••••••••••••••
    ! the service at http://elsewhere answered 404 with a web page: this is not
    ! the publishing service. Type the address again, or press Ctrl-C.
    ! ✔ What is the address of the service? service/v1
    ! the service refused the key: The API key has expired. See that it is active and
    ! was copied whole, or save the profile unchecked with --no-verify. Try again, or
    ! press Ctrl-C.
    ! ✔ The API key •••••••••••••••••••••••••••
    ! The profile "work" is saved in ~/.config/pubctl.
    ! Its key is kept in config.json there, which only you can read, since
    ! PUBCTL_KEYCHAIN is off.
  `)
  expired = 1
  expect(await type(`${line} --base-url ${url}/v1 --api-key-file -`, { stdin: key })).toMatchInlineSnapshot(`
    $ pubctl profile setup work --fields name,baseUrl --base-url http://service/v1 --api-key-file -
    > GET /v1/apikeys
    ! There is a profile "work" already, for http://service; this replaces it.
    ! error: the service refused the key: The API key has expired
    !   request id: req_1
    !   See that it is active and was copied whole, or save the profile unchecked with --no-verify.
    exit 3
  `)
  expect(
    await answer(
      line,
      [/address of the service\?/, '\r'],
      [/key come from\?/, '\r'],
      [/\? The API key/, `${key}\r`],
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl profile setup work --fields name,baseUrl
    > GET /v1/apikeys
    name      work
    base url  http://service
    ! There is a profile "work" already, for http://service; this replaces it.
    ! ✔ What is the address of the service? http://service
    ! ✔ Where does the key come from? I type it; the keychain keeps it, or else a file
    !  that only I can read
    ! ✔ The API key •••••••••••••••••••••••••••
    ! The profile "work" is saved in ~/.config/pubctl.
    ! Its key is kept in config.json there, which only you can read, since
    ! PUBCTL_KEYCHAIN is off.
  `)
})
