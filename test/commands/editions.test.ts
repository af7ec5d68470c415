import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

const first = {
  id: 'ed_1',
  version: '1',
  isCurrentVersion: false,
  title: 'A Tale of Two Clocks',
  author: ['Ada'],
  type: 'EPUB',
  status: 'live',
  uploadStatus: 'available',
  editionCreated: '2026-01-02T03:04:05.000Z',
  isReflowable: true,
  titleSource: 'file',
  editionNotes: 'the first one',
  metadata: {
    isbn: '9780306406157',
    publisher: 'Sandbox Press',
    pageCount: 1234,
    fileSize: 123_456,
    epubVersion: '3.3',
    layoutType: 'reflowable',
  },
  navigationData: [{ title: 'One' }, { title: 'Two' }],
}
const second = { ...first, id: 'ed_2', version: '2', isCurrentVersion: true, uploadStatus: 'uploaded' }
const requestId = '4b6aa668-6336-4631-b0cc-77d59186b759'

/** A service with two editions of one publication, which takes a third one; and a book to send. */
async function service() {
  const states = ['upload_pending', 'uploaded', 'available']
  const third = () => ({ ...first, id: 'ed_3', version: '3', uploadStatus: states.shift() ?? 'available' })
  let origin = ''
  const own = await transcriptOf({
    'GET /v1/publications/pub_1': { item: { id: 'pub_1', editions: [first, second] } },
    'GET /v1/publications/pub_1/editions': { items: [first, second] },
    'GET /v1/publications/pub_1/editions/ed_1': { item: first },
    'GET /v1/publications/pub_1/editions/ed_2': { item: second },
    'GET /v1/publications/pub_1/editions/ed_3': () => ({ item: third() }),
    'POST /v1/publications/pub_1/editions': ({ body }) => {
      const { coverFilename } = JSON.parse(String(body))
      const to = (name: string) => ({
        uploadUrl: `${origin}/put/${name}`,
        expiresIn: 900,
        requiredHeaders: {},
      })
      return {
        item: { id: 'pub_1', editions: [{ ...first, id: 'ed_3', uploadStatus: 'upload_pending' }] },
        result: { ...to('book'), objectKey: 'books/3', ...(coverFilename ? { cover: to('cover') } : {}) },
      }
    },
    'PUT /put/book': {},
    'PUT /put/cover': {},
  })
  origin = own.url
  writeFileSync(join(own.home, 'book.epub'), await makeExampleEpub({ title: 'A Tale of Two Clocks' }))
  return own
}

it('editions list', async () => {
  const { type } = await service()
  expect(
    await type(['pubctl editions list pub_1', 'pubctl editions list pub_1 --limit 1 --fields id --json']),
  ).toMatchInlineSnapshot(`
    $ pubctl editions list pub_1
    > GET /v1/publications/pub_1/editions
    ed_1⇥1⇥false⇥A Tale of Two Clocks⇥EPUB⇥live⇥available⇥2026-01-02T03:04:05.000Z
    ed_2⇥2⇥true⇥A Tale of Two Clocks⇥EPUB⇥live⇥uploaded⇥2026-01-02T03:04:05.000Z

    $ pubctl editions list pub_1 --limit 1 --fields id --json
    > GET /v1/publications/pub_1/editions
    [
    {"id":"ed_1"}
    ]
    ! {"warning":{"code":"listing_cut","message":"the listing was cut: these are the first 1, and there are more","hint":"Use --all to see everything, or a higher --limit."}}
  `)
  expect(await type('pubctl editions list pub_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl editions list pub_1
    > GET /v1/publications/pub_1/editions
    VERSION  CURRENT  TITLE                 TYPE  STATUS  UPLOAD STATUS  ID
    1        no       A Tale of Two Clocks  EPUB  live    available      ed_1
    2        yes      A Tale of Two Clocks  EPUB  live    uploaded       ed_2
    ! There was no room for edition created; --fields names what to show.
  `)
  expect(await type('pubctl editions list pub_1', { columns: 100 })).toMatchInlineSnapshot(`
    $ pubctl editions list pub_1
    > GET /v1/publications/pub_1/editions
    VERSION  CURRENT  TITLE                 TYPE  STATUS  UPLOAD STATUS  EDITION CREATED   ID
    1        no       A Tale of Two Clocks  EPUB  live    available      2026-01-02 03:04  ed_1
    2        yes      A Tale of Two Clocks  EPUB  live    uploaded       2026-01-02 03:04  ed_2
  `)
})

it('editions get', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl editions get pub_1 ed_1',
      'pubctl editions get pub_1 ed_9',
      'pubctl editions get pub_1',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl editions get pub_1 ed_1
    > GET /v1/publications/pub_1/editions/ed_1
    ed_1⇥1⇥false⇥A Tale of Two Clocks⇥EPUB⇥live⇥available⇥2026-01-02T03:04:05.000Z

    $ pubctl editions get pub_1 ed_9
    > GET /v1/publications/pub_1/editions/ed_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5

    $ pubctl editions get pub_1
    ! error: missing required argument "edition"
    !   Add --help to see what fits.
    exit 2
  `)
  expect(await type('pubctl editions get pub_1 ed_1', { columns: 80 })).toMatchInlineSnapshot(`
    $ pubctl editions get pub_1 ed_1
    > GET /v1/publications/pub_1/editions/ed_1
    id               ed_1
    version          1
    current          no
    title            A Tale of Two Clocks
    type             EPUB
    status           live
    upload status    available
    edition created  2026-01-02 03:04
    author           Ada
    reflowable       yes
    title source     file
    edition notes    the first one
    isbn             9780306406157
    publisher        Sandbox Press
    page count       1,234
    file size        123 kB
    epub version     3.3
    layout type      reflowable
    contents         One; Two
  `)
})

it('editions wait', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl editions wait pub_1 ed_3 --fields id,uploadStatus',
      'pubctl editions wait pub_1 ed_2 --timeout 500ms --json',
      'pubctl editions wait pub_1 ed_9',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl editions wait pub_1 ed_3 --fields id,uploadStatus
    > GET /v1/publications/pub_1/editions/ed_3
    > GET /v1/publications/pub_1/editions/ed_3
    > GET /v1/publications/pub_1/editions/ed_3
    ed_3⇥available
    ! ed_3: upload_pending
    ! ed_3: uploaded
    ! ed_3: available

    $ pubctl editions wait pub_1 ed_2 --timeout 500ms --json
    > GET /v1/publications/pub_1/editions/ed_2
    > GET /v1/publications/pub_1/editions/ed_2
    > GET /v1/publications/pub_1/editions/ed_2
    ! {"error":{"code":"wait_exhausted","message":"processing did not finish within 0.5 s; the upload itself is intact","status":null,"requestId":null,"details":null,"hint":"Run the command again to go on waiting; --timeout says how long.","exitCode":13}}
    exit 13

    $ pubctl editions wait pub_1 ed_9
    > GET /v1/publications/pub_1/editions/ed_9
    ! error: There is none.
    !   request id: req_1
    !   Check the id; the matching "list" command shows those that exist.
    exit 5
  `)
})

it('editions create', async () => {
  const { type } = await service()
  expect(
    await type([
      `pubctl editions create pub_1 ~/book.epub --request-id ${requestId}`,
      'pubctl editions create pub_1 ~/book.epub --title "Another" --author Ada --author Grace --language fr --description About --isbn 978-0-306-40615-7 --publisher Press --metadata series=Clocks --metadata volume:=2 --collection col_1 --sample-item one --internal --cover auto --query item.id',
      `pubctl editions create pub_1 ~/book.epub --request-id ${requestId} --dry-run --json`,
      'pubctl editions create pub_1 ~/book.epub --request-id one',
      'pubctl editions create pub_1 ~/book.epub --isbn 978-0-306-40615-8',
      'pubctl editions create pub_1 ~/missing.epub --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl editions create pub_1 ~/book.epub --request-id 4b6aa668-6336-4631-b0cc-77d59186b759
    > POST /v1/publications/pub_1/editions {"uploadRequestId":"4b6aa668-6336-4631-b0cc-77d59186b759","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}}}
    pub_1⇥ed_3⇥upload_pending⇥books/3⇥900⇥http://service/put/book⇥{}⇥⇥
    ! The upload request is 4b6aa668-6336-4631-b0cc-77d59186b759; "uploads create --request-id" gets a fresh session for it.

    $ pubctl editions create pub_1 ~/book.epub --title "Another" --author Ada --author Grace --language fr --description About --isbn 978-0-306-40615-7 --publisher Press --metadata series=Clocks --metadata volume:=2 --collection col_1 --sample-item one --internal --cover auto --query item.id
    > POST /v1/publications/pub_1/editions {"uploadRequestId":"(id 1)","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"Another","author":["Ada","Grace"],"metadata":{"isbn":"9780306406157","publisher":"Press","series":"Clocks","volume":2}},"language":"French","description":"About","sampleItems":["one"],"isForInternalReadingInstance":true,"coverFilename":"cover.png","collectionIds":["col_1"]}
    pub_1
    ! The upload request is (id 1); "uploads create --request-id" gets a fresh session for it.

    $ pubctl editions create pub_1 ~/book.epub --request-id 4b6aa668-6336-4631-b0cc-77d59186b759 --dry-run --json
    [
    {"method":"POST","url":"http://service/v1/publications/pub_1/editions","body":{"uploadRequestId":"4b6aa668-6336-4631-b0cc-77d59186b759","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}}}}
    ]

    $ pubctl editions create pub_1 ~/book.epub --request-id one
    ! error: --request-id: "one" is not a UUID
    !   Write it like 4b6aa668-6336-4631-b0cc-77d59186b759.
    exit 2

    $ pubctl editions create pub_1 ~/book.epub --isbn 978-0-306-40615-8
    ! error: --isbn: "978-0-306-40615-8" is not an ISBN
    !   An ISBN has 13 or 10 digits, of which the last checks the others.
    exit 2

    $ pubctl editions create pub_1 ~/missing.epub --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/missing.epub: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
})

it('editions upload', async () => {
  const { type } = await service()
  expect(
    await type([
      'pubctl editions upload pub_1 ~/book.epub --dry-run --json',
      'pubctl editions upload pub_1 ~/book.epub',
      'pubctl editions upload pub_1 ~/book.epub --no-wait --cover none --json',
      'pubctl editions upload pub_1 ~/missing.epub',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl editions upload pub_1 ~/book.epub --dry-run --json
    [
    {"key":null,"action":"edition","why":"it becomes an edition of pub_1","hint":null,"file":"~/book.epub","sha256":null,"bytes":5827,"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"publicationId":"pub_1","editionId":null,"proof":null,"fields":null,"differences":null,"before":null,"send":{"uploadRequestId":"(id 1)","publicationFilename":"book.epub","coverFilename":"cover.png","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}}},"cover":"auto","uploadRequestId":"(id 1)","warnings":[],"from":{"file":"~/book.epub"},"requests":[{"method":"POST","url":"http://service/v1/publications/pub_1/editions","body":{"uploadRequestId":"(id 1)","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}},"coverFilename":"cover.png"}},{"method":"PUT","url":"(the cover upload URL in the answer)","body":{"file":"cover.png","bytes":2252}},{"method":"PUT","url":"(the upload URL in the answer)","body":{"file":"~/book.epub","bytes":5827}}]}
    ]

    $ pubctl editions upload pub_1 ~/book.epub
    > POST /v1/publications/pub_1/editions {"uploadRequestId":"(id 2)","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}},"coverFilename":"cover.png"}
    > PUT /put/cover (2252 bytes)
    > PUT /put/book (5827 bytes)
    > GET /v1/publications/pub_1/editions/ed_3
    > GET /v1/publications/pub_1/editions/ed_3
    > GET /v1/publications/pub_1/editions/ed_3
    ~/book.epub⇥EPUB⇥5827⇥pub_1⇥available⇥uploaded⇥⇥⇥A Tale of Two Clocks
    ! book.epub: sending 5.8 kB
    ! book.epub: upload_pending
    ! book.epub: uploaded
    ! book.epub: available

    $ pubctl editions upload pub_1 ~/book.epub --no-wait --cover none --json
    > GET /v1/publications/pub_1
    > POST /v1/publications/pub_1/editions {"uploadRequestId":"(id 3)","publicationFilename":"book.epub","edition":{"type":"EPUB","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"metadata":{"publisher":"Sandbox Press"}}}
    > PUT /put/book (5827 bytes)
    {"file":"~/book.epub","title":"A Tale of Two Clocks","author":["The Makers of pubctl"],"sha256":"901ba382f27a406d187065a7f7bd566a2fad08e045d43cfc88b3e6a657a4d9b2","bytes":5827,"type":"EPUB","publicationId":"pub_1","editionId":"ed_3","uploadRequestId":"(id 3)","uploadStatus":"upload_pending","outcome":"uploaded","why":null,"warnings":[],"error":null}

    $ pubctl editions upload pub_1 ~/missing.epub
    ! error: cannot read ~/missing.epub: there is no such file
    !   Check the name and the folder.
    exit 2
  `)
})
