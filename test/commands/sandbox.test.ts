import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

it('sandbox status and reset', async () => {
  const { type, answer, sandbox } = await transcriptOf()
  expect(
    await type([
      'pubctl sandbox status',
      'pubctl sandbox status --data-dir ~/other --json',
      'pubctl sandbox reset',
      'pubctl sandbox reset --dry-run',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl sandbox status
    ~/.local/share/pubctl/sandbox⇥false⇥0⇥0

    $ pubctl sandbox status --data-dir ~/other --json
    {"dataDir":"~/other","exists":false,"publications":0,"editions":0,"bytes":0,"keys":[]}

    $ pubctl sandbox reset
    ! error: pubctl needs an answer to "Delete everything in the sandbox at ~/.local/share/pubctl/sandbox?", and cannot ask here
    !   Pass --yes.
    exit 9

    $ pubctl sandbox reset --dry-run
    RESET⇥sandbox:~/.local/share/pubctl/sandbox⇥
  `)
  await sandbox(['domains', 'create', 'new.example.org'])
  const names = 'pubctl --profile sandbox domains list --query "[].domain"'
  expect(await type(names)).toContain('new.example.org')
  expect(await type('pubctl sandbox status --fields exists,publications,keys.name')).toMatchInlineSnapshot(`
    $ pubctl sandbox status --fields exists,publications,keys.name
    true⇥0⇥full; read-only; inactive; expired; restricted; editor; viewer
  `)
  expect(await answer('pubctl sandbox reset --quiet', [/\(y\/N\)/, 'n\r'])).toContain('nothing was deleted')
  expect(await type('pubctl sandbox reset --yes')).toMatchInlineSnapshot(`
    $ pubctl sandbox reset --yes
    ! The sandbox at ~/.local/share/pubctl/sandbox has been reset.
  `)
  expect(await type(names)).not.toContain('new.example.org')
})

it('sandbox book', async () => {
  const { type, home } = await transcriptOf()
  expect(
    await type([
      'pubctl sandbox book ~/first.epub --dry-run',
      'pubctl sandbox book ~/none/first.epub --dry-run',
      'pubctl sandbox book ~/first.epub',
      'pubctl sandbox book ~/first.epub --dry-run --json',
      'pubctl sandbox book ~/first.epub --dry-run --force --json',
      'pubctl sandbox book ~/first.epub --title "My First Book"',
      'pubctl sandbox book ~/first.epub --title "My First Book" --force --json',
      'pubctl inspect ~/first.epub --fields title,type',
      'pubctl sandbox book ~/none/first.epub',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl sandbox book ~/first.epub --dry-run
    WRITE⇥file:~/first.epub⇥

    $ pubctl sandbox book ~/none/first.epub --dry-run
    ! error: cannot write ~/none/first.epub: its folder does not exist
    !   Create the folder, or name a file elsewhere.
    exit 2

    $ pubctl sandbox book ~/first.epub
    ~/first.epub⇥5850
    ! Upload it: pubctl --profile sandbox publications upload ~/first.epub

    $ pubctl sandbox book ~/first.epub --dry-run --json
    ! {"error":{"code":"usage","message":"~/first.epub is there already","status":null,"requestId":null,"details":null,"hint":"Choose another name, or replace it with --force.","exitCode":2}}
    exit 2

    $ pubctl sandbox book ~/first.epub --dry-run --force --json
    [
    {"method":"WRITE","url":"file:~/first.epub"}
    ]

    $ pubctl sandbox book ~/first.epub --title "My First Book"
    ! error: ~/first.epub is there already
    !   Choose another name, or replace it with --force.
    exit 2

    $ pubctl sandbox book ~/first.epub --title "My First Book" --force --json
    {"file":"~/first.epub","bytes":5820}

    $ pubctl inspect ~/first.epub --fields title,type
    My First Book⇥EPUB

    $ pubctl sandbox book ~/none/first.epub
    ! error: cannot write ~/none/first.epub: its folder does not exist
    !   Create the folder, or name a file elsewhere.
    exit 2
  `)
  writeFileSync(join(home, 'kept.epub'), 'kept')
  await type('pubctl sandbox book ~/kept.epub')
  expect(readFileSync(join(home, 'kept.epub'), 'utf8')).toBe('kept')
})

it('sandbox start refuses what does not fit', async () => {
  const { type } = await transcriptOf()
  expect(
    await type([
      'pubctl sandbox start --port 65536',
      'pubctl sandbox start --port x --json',
      'pubctl sandbox start --fault fire=0.1',
      'pubctl sandbox start --fault 503=2',
      'pubctl sandbox start --port -1',
      'pubctl sandbox start --port 080080',
      'pubctl sandbox start --processing-delay soon',
      'pubctl sandbox start --variant current-at-creation,always',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl sandbox start --port 65536
    ! error: --port: "65536" is not a port
    !   A port is a number up to 65535.
    exit 2

    $ pubctl sandbox start --port x --json
    ! {"error":{"code":"usage","message":"--port: \\"x\\" is not a port","status":null,"requestId":null,"details":null,"hint":"A port is a number up to 65535.","exitCode":2}}
    exit 2

    $ pubctl sandbox start --fault fire=0.1
    ! error: --fault: "fire=0.1" is not a fault
    !   The faults are reset, 503, 429, 500, cut, stall, each with a share of the requests (503=0.1), and slow with a duration (slow=2s).
    exit 2

    $ pubctl sandbox start --fault 503=2
    ! error: --fault: "503=2" does not give a share from 0 to 1
    !   The faults are reset, 503, 429, 500, cut, stall, each with a share of the requests (503=0.1), and slow with a duration (slow=2s).
    exit 2

    $ pubctl sandbox start --port -1
    ! error: --port: "-1" is not a port
    !   A port is a number up to 65535.
    exit 2

    $ pubctl sandbox start --port 080080
    ! error: --port: "080080" is not a port
    !   A port is a number up to 65535.
    exit 2

    $ pubctl sandbox start --processing-delay soon
    ! error: --processing-delay: "soon" is not a duration
    !   Write it like 30s, 10m or 1h30m; a week is the most.
    exit 2

    $ pubctl sandbox start --variant current-at-creation,always
    ! error: --variant: "always" is not a variant
    !   The variants are current-at-creation and new-object-keys.
    exit 2
  `)
})

it('sandbox start says where it is, its keys, and what fails on purpose', async () => {
  const { run, home } = machine()
  const start = async (...args: string[]) => {
    const { out, err, code } = await run(['sandbox', 'start', ...args], { signal: AbortSignal.abort() })
    const text = out
      .replaceAll(home, '~')
      .replace(/127\.0\.0\.1:\d+/, 'HOST')
      .replaceAll(/(?<=\t|"key":")sk_\w+|(?<=\t|"key":")[\w-]{20,}/g, 'KEY')
    return { code, err, text }
  }
  expect(await start()).toMatchInlineSnapshot(`
    {
      code: 0,
      err: Press Ctrl-C to stop it.
    ,
      text: The sandbox listens on http://HOST and keeps its data in ~/.local/share/pubctl/sandbox.
    full	KEY	read; write; delete	active
    read-only	KEY	read	active
    inactive	KEY	read; write; delete	inactive
    expired	KEY	read; write; delete	active
    restricted	KEY	read; write; delete	active
    editor	KEY	read; write; delete	active
    viewer	KEY	read; write; delete	active
    ,
    }
  `)
  expect(
    (await start('--fault', '503=0.1', '--fault', 'slow=2s', '--data-dir', join(home, 'other'))).err,
  ).toBe('It fails on purpose: 503=0.1, slow=2s.\nPress Ctrl-C to stop it.\n')
  const { text } = await start('--json')
  expect(text).toMatchInlineSnapshot(
    `{"baseUrl":"http://HOST","dataDir":"~/.local/share/pubctl/sandbox","keys":[{"name":"full","key":"KEY","scopes":["read","write","delete"],"status":"active"},{"name":"read-only","key":"KEY","scopes":["read"],"status":"active"},{"name":"inactive","key":"KEY","scopes":["read","write","delete"],"status":"inactive"},{"name":"expired","key":"KEY","scopes":["read","write","delete"],"status":"active"},{"name":"restricted","key":"KEY","scopes":["read","write","delete"],"status":"active"},{"name":"editor","key":"KEY","scopes":["read","write","delete"],"status":"active"},{"name":"viewer","key":"KEY","scopes":["read","write","delete"],"status":"active"}]}`,
  )
})
