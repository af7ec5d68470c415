import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { secretKey } from '../../src/config/secret-key.ts'
import { exampleCover } from '../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { systemClock } from '../../src/system/world.ts'
import type { Entry } from '../../src/uploads/journal/entry.ts'
import { openLocalJournal } from '../../src/uploads/journal/local-journal.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

const requestId = '4b6aa668-6336-4631-b0cc-77d59186b759'

/** A service that gives sessions for uploads, and a book, its cover and a session for both on this machine. */
async function service(env: Record<string, string> = {}) {
  let origin = ''
  const to = (name: string) => ({
    ...{ objectKey: `${name}s/1`, uploadUrl: `${origin}/put/${name}`, expiresIn: 900, requiredHeaders: {} },
  })
  const edition = { id: 'ed_1', title: 'A Tale', type: 'EPUB', uploadStatus: 'uploaded' }
  const own = await transcriptOf(
    {
      'POST /v1/publication-uploads': ({ body }) => {
        const { uploadRequestId, coverFilename } = JSON.parse(String(body))
        return {
          result: { uploadRequestId, ...to('book'), ...(coverFilename ? { cover: to('cover') } : {}) },
        }
      },
      'POST /v1/publications': {
        item: { id: 'pub_1', editions: [edition] },
        get result() {
          return to('book')
        },
      },
      'GET /v1/publications': { items: [] },
      'GET /v1/publications/pub_1': { item: { id: 'pub_1', editions: [edition] } },
      'GET /v1/publications/pub_1/editions/ed_1': { item: { ...edition, uploadStatus: 'available' } },
      'PUT /put/book': {},
      'PUT /put/cover': {},
    },
    env,
  )
  origin = own.url
  const at = (name: string) => join(own.home, name)
  writeFileSync(at('book.epub'), await makeExampleEpub({ title: 'A Tale' }))
  writeFileSync(at('cover.png'), exampleCover())
  writeFileSync(at('session.json'), JSON.stringify(to('book')))
  writeFileSync(at('both.json'), JSON.stringify({ result: { ...to('book'), cover: to('cover') } }))
  writeFileSync(at('letter.txt'), 'Dear Sir or Madam')
  return own
}

it('uploads create', async () => {
  const { type } = await service()
  expect(
    await type([
      `pubctl uploads create ~/book.epub --request-id ${requestId}`,
      'pubctl uploads create ~/book.epub --cover ~/cover.png --json',
      `pubctl uploads create ~/book.epub --cover ~/cover.png --request-id ${requestId} --dry-run`,
      'pubctl uploads create ~/book.epub --request-id 1',
      'pubctl uploads create ~/letter.txt',
      'pubctl uploads create ~/book.epub --type PDF',
      'pubctl uploads create ~/book.epub --cover ~/none.png --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads create ~/book.epub --request-id 4b6aa668-6336-4631-b0cc-77d59186b759
    > POST /v1/publication-uploads {"uploadRequestId":"4b6aa668-6336-4631-b0cc-77d59186b759","publicationFilename":"book.epub","publicationType":"EPUB"}
    4b6aa668-6336-4631-b0cc-77d59186b759⇥books/1⇥900⇥http://service/put/book⇥{}

    $ pubctl uploads create ~/book.epub --cover ~/cover.png --json
    > POST /v1/publication-uploads {"uploadRequestId":"(id 1)","publicationFilename":"book.epub","coverFilename":"cover.png","publicationType":"EPUB"}
    {"uploadRequestId":"(id 1)","objectKey":"books/1","uploadUrl":"http://service/put/book","expiresIn":900,"requiredHeaders":{},"cover":{"objectKey":"covers/1","uploadUrl":"http://service/put/cover","expiresIn":900,"requiredHeaders":{}}}

    $ pubctl uploads create ~/book.epub --cover ~/cover.png --request-id 4b6aa668-6336-4631-b0cc-77d59186b759 --dry-run
    POST⇥http://service/v1/publication-uploads⇥{"uploadRequestId":"4b6aa668-6336-4631-b0cc-77d59186b759","publicationFilename":"book.epub","coverFilename":"cover.png","publicationType":"EPUB"}

    $ pubctl uploads create ~/book.epub --request-id 1
    ! error: --request-id: "1" is not a UUID
    !   Write it like 4b6aa668-6336-4631-b0cc-77d59186b759.
    exit 2

    $ pubctl uploads create ~/letter.txt
    ! error: ~/letter.txt is a text file, not a book
    !   The service takes EPUB, PDF and LPF audiobooks.
    exit 2

    $ pubctl uploads create ~/book.epub --type PDF
    ! error: ~/book.epub: The content is an EPUB, and not a PDF as the type given says
    !   Leave out --type, or give the type that the content has.
    exit 2

    $ pubctl uploads create ~/book.epub --cover ~/none.png --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/none.png: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
})

it('uploads put', async () => {
  const { type, home } = await service()
  expect(
    await type([
      'pubctl uploads put ~/book.epub --session ~/session.json',
      'pubctl uploads put ~/book.epub --session ~/both.json --cover ~/cover.png --json',
      'pubctl uploads put ~/book.epub --session ~/both.json --cover auto --fields outcome,cover',
      'pubctl uploads put ~/book.epub --session ~/both.json',
      'pubctl uploads put ~/book.epub --session ~/both.json --cover ~/cover.png --dry-run',
      'pubctl uploads put ~/book.epub --session ~/session.json --cover ~/cover.png',
      'pubctl uploads put ~/book.epub --session ~/letter.txt',
      'pubctl uploads put ~/book.epub',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads put ~/book.epub --session ~/session.json
    > PUT /put/book (5808 bytes)
    ~/book.epub⇥5808⇥uploaded⇥
    ! book.epub: sending 5.8 kB

    $ pubctl uploads put ~/book.epub --session ~/both.json --cover ~/cover.png --json
    > PUT /put/cover (2252 bytes)
    > PUT /put/book (5808 bytes)
    {"file":"~/book.epub","bytes":5808,"outcome":"uploaded","cover":"~/cover.png"}

    $ pubctl uploads put ~/book.epub --session ~/both.json --cover auto --fields outcome,cover
    > PUT /put/cover (2252 bytes)
    > PUT /put/book (5808 bytes)
    uploaded⇥cover.png
    ! cover.png: sending 2.3 kB
    ! book.epub: sending 5.8 kB

    $ pubctl uploads put ~/book.epub --session ~/both.json
    > PUT /put/book (5808 bytes)
    ~/book.epub⇥5808⇥uploaded⇥
    ! warning: the session has a place for a cover, and no cover was sent
    !   Name the image with --cover.
    ! book.epub: sending 5.8 kB

    $ pubctl uploads put ~/book.epub --session ~/both.json --cover ~/cover.png --dry-run
    PUT⇥(the session's cover upload URL)⇥{"file":"~/cover.png","bytes":2252}
    PUT⇥(the session's upload URL)⇥{"file":"~/book.epub","bytes":5808}

    $ pubctl uploads put ~/book.epub --session ~/session.json --cover ~/cover.png
    ! error: the session has no place for a cover
    !   Nothing was sent. Ask for one when you create the session: --cover cover.jpg
    exit 2

    $ pubctl uploads put ~/book.epub --session ~/letter.txt
    ! error: ~/letter.txt does not hold a session as JSON
    !   Make one: pubctl uploads create book.epub --json > session.json
    exit 2

    $ pubctl uploads put ~/book.epub
    ! error: required option "--session <file>" not specified
    !   Add --help to see what fits.
    exit 2
  `)
  writeFileSync(join(home, 'plain.epub'), await makeExampleEpub({ cover: false }))
  expect(
    await type([
      'pubctl uploads put ~/plain.epub --session ~/both.json --cover auto --json',
      'pubctl uploads put ~/book.epub --session ~/both.json --cover auto --dry-run --json',
      'pubctl uploads put ~/book.epub --session ~/session.json --dry-run',
      'pubctl uploads put ~/book.epub --session ~/none.json --fields outcome',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads put ~/plain.epub --session ~/both.json --cover auto --json
    ! {"error":{"code":"no_cover","message":"~/plain.epub has no cover in it","status":null,"requestId":null,"details":null,"hint":"Name an image file with --cover.","exitCode":2}}
    exit 2

    $ pubctl uploads put ~/book.epub --session ~/both.json --cover auto --dry-run --json
    [
    {"method":"PUT","url":"(the session's cover upload URL)","body":{"file":"cover.png","bytes":2252}},
    {"method":"PUT","url":"(the session's upload URL)","body":{"file":"~/book.epub","bytes":5808}}
    ]

    $ pubctl uploads put ~/book.epub --session ~/session.json --dry-run
    PUT⇥(the session's upload URL)⇥{"file":"~/book.epub","bytes":5808}

    $ pubctl uploads put ~/book.epub --session ~/none.json --fields outcome
    ! error: cannot read ~/none.json: there is no such file
    !   Check the name and the folder.
    exit 2
  `)
  expect(
    await type('pubctl uploads put ~/book.epub --session - --quiet', { stdin: '{"uploadUrl":1}' }),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads put ~/book.epub --session - --quiet
    ! error: standard input: the upload session is not usable: see its uploadUrl
    !   Make one: pubctl uploads create book.epub --json > session.json
    exit 2
  `)
})

it('uploads list, resume and forget', async () => {
  const { type, run, home } = await service()
  expect(
    await type(['pubctl uploads list', 'pubctl uploads resume', 'pubctl uploads list --json']),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads list

    $ pubctl uploads resume

    $ pubctl uploads list --json
    []
  `)
  expect(await type('pubctl uploads list', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl uploads list
    There are no unfinished uploads.
  `)
  const started = await type('pubctl publications upload ~/book.epub --no-wait --cover none')
  expect(started).toMatchInlineSnapshot(`
    $ pubctl publications upload ~/book.epub --no-wait --cover none
    > POST /v1/publications {"uploadRequestId":"(id 1)","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}},"language":"English"}
    > PUT /put/book (5808 bytes)
    ~/book.epub⇥EPUB⇥5808⇥pub_1⇥uploaded⇥uploaded⇥⇥⇥A Tale
    ! book.epub: sending 5.8 kB
  `)
  const path = join(home, '.local/share/pubctl/uploads.db')
  const journal = openLocalJournal(path, {
    clock: systemClock,
    key: secretKey(join(home, '.config/pubctl'), 'journal'),
  })
  const [busy] = journal.list({ all: false })
  expect((await journal.begin(busy as Entry)).isClaimed).toBe(true)
  expect(await type('pubctl uploads resume --dry-run')).not.toContain('wait')
  journal.close()
  expect(
    await type([
      'pubctl uploads list',
      'pubctl uploads list --json --fields target,cover,editionOf,title,startedAtIso,errorCode,sha256',
      'pubctl uploads resume --dry-run',
      'pubctl uploads resume --dry-run --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads list
    (id 1)⇥~/book.epub⇥5808⇥sent⇥uploaded⇥2026-03-05T12:00:00.000Z⇥

    $ pubctl uploads list --json --fields target,cover,editionOf,title,startedAtIso,errorCode,sha256
    [
    {"target":"http://service","cover":"none","editionOf":null,"title":"A Tale","startedAtIso":"2026-03-05T12:00:00.000Z","errorCode":null,"sha256":"7319120ddbf8b70d744f7f9d5270ff2b103de9551ed4b1ddf03e12179b10255f"}
    ]

    $ pubctl uploads resume --dry-run
    A Tale⇥~/book.epub⇥wait⇥pub_1⇥⇥it was sent before⇥⇥

    $ pubctl uploads resume --dry-run --json
    [
    {"key":null,"action":"wait","why":"it was sent before","hint":null,"file":"~/book.epub","sha256":"7319120ddbf8b70d744f7f9d5270ff2b103de9551ed4b1ddf03e12179b10255f","bytes":5808,"type":"EPUB","title":"A Tale","author":["The Makers of pubctl"],"publicationId":"pub_1","editionId":"ed_1","proof":null,"fields":null,"differences":null,"before":null,"send":null,"cover":null,"uploadRequestId":"(id 1)","warnings":[],"from":{"file":"~/book.epub"},"editionOf":null,"requests":[]}
    ]
  `)
  const id = (await run(['uploads', 'list', '--query', '[].uploadRequestId'])).out.trim()
  expect(
    await type([`pubctl uploads forget ${requestId}`, `pubctl uploads resume ${requestId} --json`]),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads forget 4b6aa668-6336-4631-b0cc-77d59186b759
    ! error: the journal has no upload 4b6aa668-6336-4631-b0cc-77d59186b759
    !   "pubctl uploads list" shows those it has.
    exit 2

    $ pubctl uploads resume 4b6aa668-6336-4631-b0cc-77d59186b759 --json
    ! {"error":{"code":"unknown_upload","message":"the journal has no upload 4b6aa668-6336-4631-b0cc-77d59186b759","status":null,"requestId":null,"details":null,"hint":"\\"pubctl uploads list\\" shows those it has.","exitCode":2}}
    exit 2
  `)
  const elsewhere = await run(['uploads', 'resume', id], { env: { PUBCTL_BASE_URL: 'http://127.0.0.1:9' } })
  expect({ code: elsewhere.code, err: elsewhere.err.replace(/:\d{4,}/, '') }).toEqual({
    code: 2,
    err: `error: the upload ${id} goes to another service\n  Choose the profile of http://127.0.0.1.\n`,
  })
  const withoutId = (text: string) => text.replaceAll(id, '(id)')
  expect(
    withoutId(
      await type([
        `pubctl uploads forget ${id} --dry-run --fields stage`,
        `pubctl uploads resume ${id}`,
        'pubctl uploads list --limit 1',
        'pubctl uploads list --finished --fields stage,uploadStatus,publicationId,editionId',
        `pubctl uploads forget ${id} --fields stage`,
        'pubctl uploads list --finished',
      ]),
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl uploads forget (id) --dry-run --fields stage
    sent

    $ pubctl uploads resume (id)
    > GET /v1/publications/pub_1/editions/ed_1
    > GET /v1/publications/pub_1/editions/ed_1
    ~/book.epub⇥EPUB⇥5808⇥pub_1⇥available⇥uploaded⇥⇥⇥A Tale
    ! book.epub: available

    $ pubctl uploads list --limit 1

    $ pubctl uploads list --finished --fields stage,uploadStatus,publicationId,editionId
    finished⇥available⇥pub_1⇥ed_1

    $ pubctl uploads forget (id) --fields stage
    finished

    $ pubctl uploads list --finished
  `)
})
