import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { type BookParts, honestMetadata, makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { areThere, samples } from '../support/books/samples.ts'
import { pageTags } from '../support/machine/page-tags.ts'
import { pageText } from '../support/machine/page-text.ts'
import { machine } from '../support/machine/pubctl.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { transcriptOf } from '../support/machine/transcript.ts'

const meta = (property: string, value: string) => `<meta property="${property}">${value}</meta>`
const feature = (value: string) => meta('schema:accessibilityFeature', value)

const complete = [
  meta('schema:accessMode', 'textual'),
  meta('schema:accessModeSufficient', 'textual'),
  feature('readingOrder'),
  feature('tableOfContents'),
  meta('schema:accessibilityHazard', 'none'),
  meta('schema:accessibilitySummary', 'All of it can be read aloud.'),
  meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level AA'),
  meta('a11y:certifiedBy', 'A Certifier'),
].join('')

const titled = (title: string, metadata: string, parts: BookParts = {}) =>
  makeBook({ ...parts, metadata: honestMetadata.replace('A Title', title) + metadata })

/** The entries of a book whose only page is encrypted, so that nobody can look at it. */
const withEncryptedPage = {
  'META-INF/encryption.xml': `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
    <enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><enc:CipherData>
    <enc:CipherReference URI="EPUB/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`,
}

const pageWithImage =
  '<html xmlns="http://www.w3.org/1999/xhtml"><body><p><img src="a.png"/></p></body></html>'

/** A machine with a folder of books of which each says something else, and one file that is no book. */
function withCatalogue() {
  const own = machine()
  const folder = join(own.home, 'books')
  mkdirSync(join(folder, 'deep'), { recursive: true })
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  put('a-declared.epub', titled('Declared', complete))
  put('b-incomplete.epub', titled('Incomplete', meta('schema:accessMode', 'textual')))
  put(
    'c-contradictory.epub',
    titled('Contradictory', complete + feature('alternativeText'), {
      entries: { 'EPUB/one.xhtml': pageWithImage },
    }),
  )
  put('d-silent.epub', titled('Silent', ''))
  put('e-letter.pdf', 'Dear Sir or Madam')
  put('deep/f.pdf', makePdf())
  const inspect = (...args: string[]) => own.run(['inspect', folder, '--accessibility', ...args])
  return { ...own, folder, inspect, report: (ending: string) => join(own.home, `catalogue${ending}`) }
}

const order = [
  'e-letter.pdf',
  'd-silent.epub',
  'c-contradictory.epub',
  'b-incomplete.epub',
  'a-declared.epub',
]

it('inspect --accessibility', async () => {
  const { type, home } = await transcriptOf()
  writeFileSync(join(home, 'declared.epub'), titled('Declared', complete))
  writeFileSync(
    join(home, 'contradictory.epub'),
    titled(
      'Contradictory',
      `${feature('alternativeText')}${feature('longDescription')}${feature('sparkles')}`,
      {
        entries: { 'EPUB/one.xhtml': pageWithImage },
      },
    ),
  )
  writeFileSync(join(home, 'silent.pdf'), makePdf())
  expect(
    await type(
      [
        'pubctl inspect ~/declared.epub --accessibility',
        'pubctl inspect ~/contradictory.epub --accessibility',
        'pubctl inspect ~/silent.pdf --accessibility',
        'pubctl inspect ~/declared.epub ~/contradictory.epub ~/silent.pdf --accessibility --fields title,accessibility.state',
      ],
      { columns: 200 },
    ),
  ).toMatchInlineSnapshot(`
    $ pubctl inspect ~/declared.epub --accessibility
    file                   ~/declared.epub
    type                   EPUB
    title                  Declared
    language               en
    layout                 reflowable
    accessibility          declared
    ways of reading        No information about appearance modifiability is available; Readable in read aloud or dynamic braille; No information about prerecorded audio is available
    conformance            This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
    navigation             Table of contents
    rich content           No information is available
    hazards                No hazards
    accessibility summary  All of it can be read aloud.
    legal considerations   No information is available
    onix list 196          00; 04; 11; 13; 52; 82; 85; 90
    onix list 143          00

    perhaps: ONIX list 196 code 92, Accessibility addendum: in place of 00, if the summary says only what no other code says.

    $ pubctl inspect ~/contradictory.epub --accessibility
    file                   ~/contradictory.epub
    type                   EPUB
    title                  Contradictory
    language               en
    layout                 reflowable
    accessibility          contradictory
    ways of reading        No information about appearance modifiability is available; Not fully readable in read aloud or dynamic braille; Has alternative text; No information about prerecorded audio is
                           available
    conformance            No information is available
    navigation             No information is available
    rich content           Information-rich images are described by extended descriptions
    hazards                No information is available
    accessibility summary  No information is available
    legal considerations   No information is available
    onix list 196          14; 15

    contradiction: EPUB/one.xhtml:1: It claims alternativeText and longDescription, and its only image has no alternative text.
    missing: accessMode (required): It does not say by which senses its content is perceived.
    missing: accessibilityHazard (required): It does not say whether it has hazards, such as flashing.
    missing: accessModeSufficient (recommended): It does not say which senses suffice to read it.
    missing: accessibilitySummary (recommended): It has no summary of its accessibility for people.
    missing: conformsTo (recommended): It does not say which accessibility standard it meets.
    unknown value: accessibilityFeature: "sparkles"
    perhaps: ONIX list 196 code 16, Visualized data also available as non-graphical data: if the data of graphs and charts is also there as text or tables.

    $ pubctl inspect ~/silent.pdf --accessibility
    file                   ~/silent.pdf
    type                   PDF
    layout                 fixed
    accessibility          undeclared
    ways of reading        Appearance cannot be modified; No information about nonvisual reading is available; No information about prerecorded audio is available
    conformance            No information is available
    navigation             No information is available
    rich content           No information is available
    hazards                No information is available
    accessibility summary  No information is available
    legal considerations   No information is available
    tagged                 no
    shows title            no

    missing: tags (required): The PDF is not tagged, so its reading order and headings are not known.
    missing: language (required): The PDF does not say its language.
    missing: title (required): The PDF has no title in its metadata.
    missing: displayDocTitle (required): A viewer shows the name of the file in place of the title.
    missing: pdfuaid (recommended): The PDF does not say that it meets PDF/UA.

    $ pubctl inspect ~/declared.epub ~/contradictory.epub ~/silent.pdf --accessibility --fields title,accessibility.state
    TITLE          ACCESSIBILITY
                   undeclared
    Contradictory  contradictory
    Declared       declared
    ! 1 says nothing, 1 contradicts itself, 1 declared.
  `)
  expect(
    await type([
      'pubctl inspect ~/declared.epub ~/silent.pdf --accessibility',
      'pubctl inspect ~/declared.epub --accessibility --json --query accessibility.onix',
      'pubctl inspect ~/declared.epub --accessibility --only-problems',
      'pubctl inspect ~/declared.epub --accessibility --report catalogue.txt',
      'pubctl inspect ~/missing.epub --accessibility --json',
    ]),
  ).toMatchInlineSnapshot(`
    $ pubctl inspect ~/declared.epub ~/silent.pdf --accessibility
    ~/silent.pdf⇥⇥undeclared⇥tags; language; title; displayDocTitle; pdfuaid⇥
    ~/declared.epub⇥Declared⇥declared⇥⇥00; 04; 11; 13; 52; 82; 85; 90
    ! 1 says nothing, 1 declared.

    $ pubctl inspect ~/declared.epub --accessibility --json --query accessibility.onix
    {"list196":[{"code":"00","label":"Accessibility summary","value":"All of it can be read aloud."},{"code":"04","label":"EPUB Accessibility Specification 1.1"},{"code":"11","label":"Table of contents navigation"},{"code":"13","label":"Single logical reading order"},{"code":"52","label":"All non-decorative content supports reading without sight"},{"code":"82","label":"WCAG v2.2"},{"code":"85","label":"WCAG level AA"},{"code":"90","label":"Compliance certification by (name)","value":"A Certifier"}],"list196Conditional":[{"code":"92","label":"Accessibility addendum","value":"All of it can be read aloud.","condition":"in place of 00, if the summary says only what no other code says"}],"list143":[{"code":"00","label":"No known hazards or warnings"}]}

    $ pubctl inspect ~/declared.epub --accessibility --only-problems
    ! error: --only-problems cannot be used with --accessibility
    !   Leave one of them out.
    exit 2

    $ pubctl inspect ~/declared.epub --accessibility --report catalogue.txt
    ! error: no report can be written as catalogue.txt
    !   Its name ends in .html, .csv, .json.
    exit 2

    $ pubctl inspect ~/missing.epub --accessibility --json
    ! {"error":{"code":"file_unreadable","message":"cannot read ~/missing.epub: there is no such file","status":null,"requestId":null,"details":null,"hint":"Check the name and the folder.","exitCode":2}}
    exit 2
  `)
})

describe('several books', () => {
  it('are listed with the worst first, and what could not be read is named', async () => {
    const { inspect } = withCatalogue()
    const { code, out, err } = await inspect('--json')
    expect(JSON.parse(out).map((book: { title: string }) => book.title)).toEqual([
      'Silent',
      'Contradictory',
      'Incomplete',
      'Declared',
    ])
    expect(code).toBe(2)
    expect(JSON.parse(err).error).toMatchObject({
      code: 'book_unfit',
      details: [{ path: [expect.stringContaining('e-letter.pdf')], code: 'not_a_book' }],
    })
  })

  it('have a line for each contradiction below their table at a terminal', async () => {
    const { run, folder } = withCatalogue()
    const { out } = await run(['inspect', folder, '--accessibility'], { columns: 400 })
    const [, below = ''] = out.replaceAll(folder, '~').split(/\n\n/)
    expect(below.replace(/\u001b\[\d+m/g, '')).toBe(
      'contradiction: ~/c-contradictory.epub: EPUB/one.xhtml:1: It claims alternativeText and conformance to WCAG, and its only image has no alternative text.\n',
    )
  })

  it('have their errors below their table at a terminal, and no warnings', async () => {
    const { run, home, folder } = withCatalogue()
    const file = join(home, 'locked.pdf')
    writeFileSync(file, makePdf({ password: 'secret' }))
    const { code, out } = await run(['inspect', file, join(folder, 'd-silent.epub'), '--accessibility'], {
      columns: 400,
    })
    expect({ code, out: out.replaceAll(home, '~').replace(/\u001b\[\d+m/g, '') }).toEqual({
      code: 2,
      out: expect.stringMatching(
        /\n\n~\/locked.pdf: 1 error\n {2}error: The PDF opens only with a password\. Save the PDF without a password\.\n$/,
      ),
    })
  })

  it('have a column each in CSV for what they say', async () => {
    const { inspect } = withCatalogue()
    const { out } = await inspect('-o', 'csv')
    expect(out.split('\n')[0]).toMatchInlineSnapshot(
      `file,type,title,isbn,language,layout,accessibility.state,accessibility.statements.waysOfReading,accessibility.statements.conformance,accessibility.statements.navigation,accessibility.statements.richContent,accessibility.statements.hazards,accessibility.statements.accessibilitySummary,accessibility.statements.legalConsiderations,accessibility.statements.additionalInformation,accessibility.pdf.isTagged,accessibility.pdf.pdfUaPart,accessibility.pdf.showsTitle,accessibility.missing.property,accessibility.contradictions.message,accessibility.unknownValues.value,accessibility.onix.list196.code,accessibility.onix.list143.code`,
    )
  })

  it('in subfolders are inspected with --recursive', async () => {
    const { inspect } = withCatalogue()
    const { out, err } = await inspect('--recursive', '-o', 'csv')
    const rows = parse(out, { columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatchObject({ type: 'PDF', 'accessibility.pdf.isTagged': 'false' })
    expect(err).toMatch(
      /^1 could not be read, 2 say nothing, 1 contradicts itself, 1 incomplete, 1 declared\.\n/,
    )
  })
})

describe('a report', () => {
  it('as JSON has every file, the worst first', async () => {
    const { inspect, report } = withCatalogue()
    await inspect('--report', report('.json'))
    const rows = JSON.parse(readFileSync(report('.json'), 'utf8'))
    expect(rows.map((row: { file: string }) => row.file.replace(/^.*[\\/]/, ''))).toEqual(order)
    expect(rows[0]).toEqual({
      ...{ file: expect.stringMatching(/e-letter\.pdf$/), state: 'unread', accessibility: null },
      error: { code: 'not_a_book', message: expect.stringMatching(/is a text file, not a book$/) },
    })
    const { accessibility, file: _, ...described } = rows.at(-1)
    expect(accessibility.state).toBe('declared')
    expect(described).toEqual({
      ...{ state: 'declared', type: 'EPUB', title: 'Declared', authors: ['A Name'] },
      ...{ language: 'en', layout: 'reflowable' },
    })
    expect(rows[2].accessibility.contradictions).toMatchObject([
      { code: 'alt_missing', place: 'EPUB/one.xhtml:1' },
    ])
  })

  it('as CSV has the statements, the codes, and no formula', async () => {
    const { inspect, report, folder } = withCatalogue()
    writeFileSync(join(folder, 'g.epub'), titled('=1+1', complete))
    await inspect('--report', report('.csv'))
    const rows = parse(readFileSync(report('.csv'), 'utf8'), { columns: true }) as Record<string, string>[]
    expect(rows.map(({ title }) => title)).toEqual([
      '',
      'Silent',
      'Contradictory',
      'Incomplete',
      'Declared',
      "'=1+1",
    ])
    expect(rows[4]).toMatchObject({
      'accessibility.state': 'declared',
      'accessibility.statements.hazards': 'No hazards',
      'accessibility.onix.list196.code': '00; 04; 11; 13; 52; 82; 85; 90',
      'accessibility.onix.list143.code': '00',
    })
    expect(rows[0]?.['error.message']).toContain('is a text file')
  })

  it('as HTML is one page that runs and requests nothing, whatever a book says', async () => {
    const { inspect, report, folder } = withCatalogue()
    const hostile =
      '&lt;script src="http://evil.example/x.js"&gt;&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\u202egpj'
    writeFileSync(
      join(folder, 'h.epub'),
      titled(
        hostile,
        meta('schema:accessibilitySummary', hostile) + feature(hostile) + meta('a11y:certifiedBy', hostile),
      ),
    )
    await inspect('--report', report('.html'))
    const page = readFileSync(report('.html'), 'utf8')
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    )
    expect(page).toContain('&lt;script src=&quot;http://evil.example/x.js&quot;&gt;')
    expect([...page.matchAll(/<([a-z0-9]+)[\s>]/g)].map(([, name]) => name)).not.toContain('script')
    expect(page).not.toMatch(/<[a-z][^>]*\s(?:src|on\w+|style|href(?!="#))=/)
    expect(foreignControls(page, false)).toEqual([])
    const places = order.map(name => page.indexOf(`>${join(folder, name)}<`))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('as HTML lists the codes that a book may have', async () => {
    const { inspect, report, folder } = withCatalogue()
    writeFileSync(join(folder, 'i.epub'), titled('Both', complete + feature('longDescription')))
    await inspect('--report', report('.html'))
    expect(readFileSync(report('.html'), 'utf8')).toMatch(/>perhaps \d\d, \d\d</)
  })

  it('as HTML says what is wrong, book by book, the worst first', async () => {
    const { inspect, report, folder } = withCatalogue()
    // By its name it comes before the other incomplete book, but more is missing there.
    writeFileSync(
      join(folder, 'a-hardly-incomplete.epub'),
      titled('Hardly', meta('schema:accessMode', 'textual') + feature('readingOrder')),
    )
    await inspect('--report', report('.html'))
    const page = readFileSync(report('.html'), 'utf8')
    await expect(pageTags(page)).toMatchFileSnapshot('pages/accessibility-tags.txt')
    const [, body = ''] = /<body>(.*)<\/body>/s.exec(page) ?? []
    const lines = body
      .replaceAll(folder, '~')
      .replace(/\b\d{1,2} [A-Z][a-z]+ \d{4}\b/g, '(day)')
      .replace(/pubctl \d[\w.-]*/g, 'pubctl (version)')
      .replace(/<\/(?:h\d|p|td|th|li|caption|dt|dd|div|a)>/g, '\n')
      .replace(/<[^>]*>/g, '')
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      Accessibility of the catalogue
      What 6 files in ~ say of accessibility, read on (day). These are claims; nobody has checked them by reading the books.
      files
      6
      could not be read
      1
      say nothing
      1
      contradict themselves
      1
      incomplete
      2
      declared
      1
      Could not be read (1)
      Say nothing of accessibility (1)
      Contradict themselves (1)
      Leave out something that is required (2)
      Say all that is required (1)
      What is missing most
      How many files leave out each property.
      Property
      What that means
      Files
      Share of all files
      accessibilityHazard Required
      It does not say whether it has hazards, such as flashing.
      3
      50 %
      accessModeSufficient Recommended
      It does not say which senses suffice to read it.
      3
      50 %
      accessibilitySummary Recommended
      It has no summary of its accessibility for people.
      3
      50 %
      conformsTo Recommended
      It does not say which accessibility standard it meets.
      3
      50 %
      accessibilityFeature Required
      It does not say which accessibility features it has.
      2
      33 %
      accessMode Required
      It does not say by which senses its content is perceived.
      1
      17 %
      Could not be read (1)
      Nothing is known about these files.
      File
      Why
      e-letter.pdf~/e-letter.pdf
      ~/e-letter.pdf is a text file, not a book
      Say nothing of accessibility (1)
      These books have no accessibility metadata, or are PDFs without tags.
      Book
      What is wrong
      Silent~/d-silent.epubEPUB
      Missing, required accessMode, accessibilityFeature, accessibilityHazard
      Missing, recommended accessModeSufficient, accessibilitySummary, conformsTo
      Contradict themselves (1)
      What these books say cannot all be true, or their content shows that it is not.
      Book
      What is wrong
      What it says
      ONIX list 196
      Contradictory~/c-contradictory.epubEPUB
      Contradiction It claims alternativeText and conformance to WCAG, and its only image has no alternative text.EPUB/one.xhtml:1
      Ways of reading: Readable in read aloud or dynamic braille; Has alternative text
      Conformance: This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
      Navigation: Table of contents
      Hazards: No hazards
      Accessibility summary: All of it can be read aloud.
      00, 04, 11, 13, 14, 52, 82, 85, 90perhaps 92
      Leave out something that is required (2)
      These books say something, but not all that the standard requires.
      Book
      What is wrong
      What it says
      ONIX list 196
      Incomplete~/b-incomplete.epubEPUB
      Missing, required accessibilityFeature, accessibilityHazard
      Missing, recommended accessModeSufficient, accessibilitySummary, conformsTo
      Ways of reading: Readable in read aloud or dynamic braille
      Hardly~/a-hardly-incomplete.epubEPUB
      Missing, required accessibilityHazard
      Missing, recommended accessModeSufficient, accessibilitySummary, conformsTo
      Ways of reading: Readable in read aloud or dynamic braille
      13
      Say all that is required (1)
      What these books say is complete and free of contradictions.
      Book
      What it says
      ONIX list 196
      Declared~/a-declared.epubEPUB
      Ways of reading: Readable in read aloud or dynamic braille
      Conformance: This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
      Navigation: Table of contents
      Hazards: No hazards
      Accessibility summary: All of it can be read aloud.
      00, 04, 11, 13, 52, 82, 85, 90perhaps 92
      Statements are those of the W3C's Accessibility Metadata Display Guide for Digital Publications 2.0; ONIX codes are those of list 196 that follow by the W3C's crosswalk. Made by pubctl (version)
    `)
  })

  it('as HTML, and a terminal, count what would be too long, and say what was not looked at', async () => {
    const { type, home } = await transcriptOf()
    const put = (name: string, content: string | Uint8Array) => writeFileSync(join(home, name), content)
    const features = Array.from({ length: 22 }, (_, at) => feature(`odd${at + 1}`)).join('')
    put('odd.epub', titled('Odd', complete + features, { entries: withEncryptedPage }))
    put('plain.epub', titled('Plain', complete))
    const tagged = '/Lang (en) /MarkInfo << /Marked true >> /ViewerPreferences << /DisplayDocTitle true >>'
    put('tagged.pdf', makePdf({ catalog: tagged, info: '/Title (Tagged)' }))
    put('locked.pdf', makePdf({ password: 'secret' }))
    const line = 'pubctl inspect ~/plain.epub ~/odd.epub ~/tagged.pdf ~/locked.pdf --accessibility'
    await type(`${line} --report ~/catalogue.html`)
    const page = pageText(readFileSync(join(home, 'catalogue.html'), 'utf8')).replaceAll(home, '~')
    expect(page).toMatchInlineSnapshot(`
      Accessibility of the catalogue
      Accessibility of the catalogue
      What 4 files in ~/plain.epub, ~/odd.epub, ~/tagged.pdf and elsewhere say of accessibility, read on 5 March 2026. These are claims; nobody has checked them by reading the books.
      files
      4
      could not be read
      1
      say nothing
      0
      contradict themselves
      0
      incomplete
      0
      declared
      3
      Could not be read (1)
      Say all that is required (3)
      What is missing most
      How many files leave out each property. |
      | Property | What that means | Files | Share of all files
      | pdfuaid Recommended | The PDF does not say that it meets PDF/UA. |# 1 | 25 %
      [100 8]
      Could not be read (1)
      Nothing is known about these files. |
      | File | Why
      | locked.pdf~/locked.pdfPDF | The PDF opens only with a password.
      Say all that is required (3)
      What these books say is complete and free of contradictions. |
      | Book | What is wrong | What it says | ONIX list 196
      | Tagged~/tagged.pdfPDF |
      Missing, recommended pdfuaid |
      Ways of reading: Appearance cannot be modified
      PDF: tagged |
      | Odd~/odd.epubEPUB |
      Unknown value accessibilityFeature: odd1
      Unknown value accessibilityFeature: odd2
      Unknown value accessibilityFeature: odd3
      Unknown value accessibilityFeature: odd4
      Unknown value accessibilityFeature: odd5
      Unknown value accessibilityFeature: odd6
      Unknown value accessibilityFeature: odd7
      Unknown value accessibilityFeature: odd8
      Unknown value accessibilityFeature: odd9
      Unknown value accessibilityFeature: odd10
      Unknown value accessibilityFeature: odd11
      Unknown value accessibilityFeature: odd12
      Unknown value accessibilityFeature: odd13
      Unknown value accessibilityFeature: odd14
      Unknown value accessibilityFeature: odd15
      Unknown value accessibilityFeature: odd16
      Unknown value accessibilityFeature: odd17
      Unknown value accessibilityFeature: odd18
      Unknown value accessibilityFeature: odd19
      Unknown value accessibilityFeature: odd20
      and 2 more
      Not looked at 1 document |
      Ways of reading: Readable in read aloud or dynamic braille
      Conformance: This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
      Navigation: Table of contents
      Hazards: No hazards
      Accessibility summary: All of it can be read aloud. | 00, 04, 11, 13, 52, 82, 85, 90perhaps 92
      | Plain~/plain.epubEPUB | |
      Ways of reading: Readable in read aloud or dynamic braille
      Conformance: This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
      Navigation: Table of contents
      Hazards: No hazards
      Accessibility summary: All of it can be read aloud. | 00, 04, 11, 13, 52, 82, 85, 90perhaps 92
      Statements are those of the W3C's Accessibility Metadata Display Guide for Digital Publications 2.0; ONIX codes are those of list 196 that follow by the W3C's crosswalk. Made by pubctl (version).
    `)
    const shown = await type('pubctl inspect ~/odd.epub --accessibility', { columns: 200 })
    expect(shown).toMatchInlineSnapshot(`
      $ pubctl inspect ~/odd.epub --accessibility
      file                   ~/odd.epub
      type                   EPUB
      title                  Odd
      language               en
      layout                 reflowable
      accessibility          declared
      ways of reading        No information about appearance modifiability is available; Readable in read aloud or dynamic braille; No information about prerecorded audio is available
      conformance            This publication meets accepted accessibility standards; The publication was certified by A Certifier; This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA
      navigation             Table of contents
      rich content           No information is available
      hazards                No hazards
      accessibility summary  All of it can be read aloud.
      legal considerations   No information is available
      onix list 196          00; 04; 11; 13; 52; 82; 85; 90
      onix list 143          00

      unknown value: accessibilityFeature: "odd1"
      unknown value: accessibilityFeature: "odd2"
      unknown value: accessibilityFeature: "odd3"
      unknown value: accessibilityFeature: "odd4"
      unknown value: accessibilityFeature: "odd5"
      unknown value: accessibilityFeature: "odd6"
      unknown value: accessibilityFeature: "odd7"
      unknown value: accessibilityFeature: "odd8"
      unknown value: accessibilityFeature: "odd9"
      unknown value: accessibilityFeature: "odd10"
      unknown value: accessibilityFeature: "odd11"
      unknown value: accessibilityFeature: "odd12"
      unknown value: accessibilityFeature: "odd13"
      unknown value: accessibilityFeature: "odd14"
      unknown value: accessibilityFeature: "odd15"
      unknown value: accessibilityFeature: "odd16"
      unknown value: accessibilityFeature: "odd17"
      unknown value: accessibilityFeature: "odd18"
      unknown value: accessibilityFeature: "odd19"
      unknown value: accessibilityFeature: "odd20"
      unknown value: 2 more.
      not looked at: 1 of 1 content documents, because they are too many, too large, encrypted or unreadable.
      perhaps: ONIX list 196 code 92, Accessibility addendum: in place of 00, if the summary says only what no other code says.
    `)
  })

  it('as HTML lists nothing as missing where nothing is', async () => {
    const { run, folder, report } = withCatalogue()
    await run(['inspect', join(folder, 'a-declared.epub'), '--accessibility', '--report', report('.html')])
    expect(readFileSync(report('.html'), 'utf8')).not.toContain('What is missing most')
  })

  it('takes the place of the table at a terminal, and nowhere else', async () => {
    const { run, folder, report } = withCatalogue()
    const inspect = (columns?: number) =>
      run(['inspect', folder, '--accessibility', '--report', report('.html')], columns ? { columns } : {})
    const { out, err } = await inspect(100)
    expect(out).toBe('')
    expect(err).toContain(
      '1 could not be read, 1 says nothing, 1 contradicts itself, 1 incomplete, 1 declared.',
    )
    expect(err.replace(/\s+/g, ' ')).toContain(`The report is in ${report('.html')}.`)
    expect((await inspect()).out.trimEnd().split('\n')).toHaveLength(4)
  })

  it('of a name that cannot be written is refused before a book is read', async () => {
    const { inspect, home } = withCatalogue()
    const { code, out, err } = await inspect('--report', join(home, 'missing', 'catalogue.html'))
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^error: cannot write .*its folder does not exist\n/)
  })

  it('and every other output never calls a book compliant', async () => {
    const { inspect, report } = withCatalogue()
    for (const format of ['csv', 'json', 'ndjson', 'table']) {
      const { out, err } = await inspect('-o', format)
      expect(out + err).not.toMatch(/compliant/i)
    }
    for (const ending of ['.html', '.json', '.csv']) {
      await inspect('--report', report(ending))
      expect(readFileSync(report(ending), 'utf8')).not.toMatch(/compliant/i)
    }
  })
})

describe.skipIf(!areThere)('the sample books', () => {
  it('say what they say', async () => {
    const { run } = machine()
    const { out } = await run(['inspect', samples, '--accessibility', '--json'])
    const states = (JSON.parse(out) as { file: string; accessibility: { state: string } | null }[]).map(
      ({ file, accessibility }) => [file.replace(/^.*[\\/]/, ''), accessibility?.state],
    )
    expect(Object.fromEntries(states)).toMatchObject({
      'flatland.epub': 'declared',
      'communist-manifesto.epub': 'declared',
      'apple-pie-fixed-layout.epub': 'undeclared',
      'time-machine-epub2.epub': 'undeclared',
      'no-metadata.pdf': 'undeclared',
    })
  })
})
