import { describe, expect, it } from 'vitest'
import {
  codes,
  described,
  describedFile,
  feature,
  hazard,
  meta,
  oldMeta,
  sound,
} from '../support/books/accessible-book.ts'
import { rawZip } from '../support/books/hostile-zip.ts'
import { type BookParts, makeBook } from '../support/books/make-book.ts'
import { makePdf } from '../support/books/make-pdf.ts'

describe('the accessibility metadata of an EPUB', () => {
  const whole = {
    accessMode: ['textual', 'visual'],
    accessModeSufficient: [['textual'], ['textual', 'visual']],
    accessibilityFeature: ['alternativeText', 'MathML'],
    accessibilityHazard: ['noFlashingHazard', 'sound'],
    accessibilitySummary: ['A summary.'],
    conformsTo: ['EPUB Accessibility 1.1 - WCAG 2.1 Level AA'],
    certifiedBy: ['A Certifier'],
    certifierCredential: ['https://certifier.example/credential'],
    certifierReport: ['https://certifier.example/report'],
    certificationDate: ['2026-03-04'],
    exemption: ['eaa-microenterprise'],
  }

  it('is read in the form of EPUB 3', async () => {
    const found = await described(
      `${meta('schema:accessMode', 'textual')}${meta('schema:accessMode', ' visual ')}
      ${meta('schema:accessModeSufficient', 'textual')}${meta('schema:accessModeSufficient', 'textual, visual')}
      ${feature('alternativeText')}${feature('MathML')}${hazard('noFlashingHazard')}${hazard('sound')}
      ${meta('schema:accessibilitySummary', 'A\n summary.')}
      <meta id="claim" property="dcterms:conformsTo">EPUB Accessibility 1.1 - WCAG 2.1 Level AA</meta>
      <meta id="certifier" property="a11y:certifiedBy" refines="#claim">A Certifier</meta>
      <link rel="a11y:certifierCredential" refines="#certifier" href="https://certifier.example/credential"/>
      <link rel="a11y:certifierReport" refines="#certifier" href="https://certifier.example/report"/>
      <meta property="dcterms:date" refines="#claim">2026-03-04</meta>
      <meta property="dcterms:date" refines="#nothing">2020-01-01</meta>
      ${meta('a11y:exemption', 'eaa-microenterprise')}
      <meta property="schema:accessMode" refines="#one">auditory</meta>`,
    )
    expect(found.metadata).toEqual(whole)
    expect(found.unknownValues).toEqual([])
  })

  it('is read in the form of EPUB 2', async () => {
    const found = await described(
      Object.entries({ ...whole, certificationDate: [] })
        .flatMap(([property, values]) =>
          values.map(value => {
            const prefix = property.startsWith('access')
              ? 'schema'
              : property === 'conformsTo'
                ? 'dcterms'
                : 'a11y'
            return oldMeta(`${prefix}:${property}`, [value].flat().join(','))
          }),
        )
        .join(''),
      { version: '2.0' },
    )
    expect(found.metadata).toEqual({ ...whole, certificationDate: [] })
  })

  it('is read by the prefixes that the package declares', async () => {
    const found = await describedFile(
      makeBook({
        package: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" prefix="s: http://schema.org/ schema: http://example.org/">
        <metadata><meta property="s:accessMode">textual</meta><meta property="schema:accessMode">visual</meta></metadata>
        <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
        <spine><itemref idref="one"/></spine></package>`,
      }),
    )
    expect(found.metadata.accessMode).toEqual(['textual'])
  })

  it('has no certifier in who certifies another standard', async () => {
    const found = await described(
      '<meta property="dcterms:conformsTo" id="other">ISO 9001</meta><meta property="a11y:certifiedBy" refines="#other">Another</meta><meta property="a11y:certifierReport" refines="#other">https://example.org/</meta>',
    )
    expect(found.metadata).toMatchObject({ certifiedBy: [], certifierReport: [] })
  })

  it('keeps values that no vocabulary has, and says which', async () => {
    const found = await described(
      feature('Sparkles') +
        hazard('boredom') +
        meta('dcterms:conformsTo', 'Our accessibility rules') +
        feature('MATHML'),
    )
    expect(found.unknownValues).toEqual([
      { property: 'accessibilityFeature', value: 'Sparkles' },
      { property: 'accessibilityHazard', value: 'boredom' },
      { property: 'conformsTo', value: 'Our accessibility rules' },
    ])
    expect(found.statements.conformance).toEqual([
      'Conformance to accepted standards for accessibility of this publication cannot be determined',
    ])
    expect(found.statements.richContent).toEqual(['Math as MathML'])
  })
})

describe('the statements of the display guide', () => {
  it('are all those of a book that says everything', async () => {
    const { statements, state, missing, contradictions } = await described(
      sound + feature('displayTransformability') + feature('structuralNavigation') + feature('ARIA'),
    )
    expect(statements).toEqual({
      waysOfReading: [
        'Appearance can be modified',
        'Readable in read aloud or dynamic braille',
        'No information about prerecorded audio is available',
      ],
      conformance: [
        'This publication meets accepted accessibility standards',
        'The publication was certified by A Certifier',
        'This publication claims to meet EPUB Accessibility 1.1 WCAG 2.2 Level AA',
      ],
      navigation: ['Headings'],
      richContent: ['No information is available'],
      hazards: ['No hazards'],
      accessibilitySummary: ['All of it can be read aloud.'],
      legalConsiderations: ['No information is available'],
      additionalInformation: ['ARIA roles included'],
    })
    expect({ state, missing, contradictions }).toEqual({ state: 'declared', missing: [], contradictions: [] })
  })

  it('say for each section of a silent book that there is no information', async () => {
    const { statements, state } = await described('')
    const none = ['No information is available']
    expect(statements).toEqual({
      waysOfReading: [
        'No information about appearance modifiability is available',
        'No information about nonvisual reading is available',
        'No information about prerecorded audio is available',
      ],
      conformance: none,
      navigation: none,
      richContent: none,
      hazards: none,
      accessibilitySummary: none,
      legalConsiderations: none,
      additionalInformation: [],
    })
    expect(state).toBe('undeclared')
  })

  it.each([
    [meta('schema:accessMode', 'textual'), 'Readable in read aloud or dynamic braille'],
    [meta('schema:accessMode', 'visual'), 'Not readable in read aloud or dynamic braille'],
    [meta('schema:accessMode', 'auditory'), 'Not readable in read aloud or dynamic braille'],
    [
      meta('schema:accessMode', 'textual') + meta('schema:accessMode', 'visual'),
      'Not fully readable in read aloud or dynamic braille',
    ],
    [
      meta('schema:accessMode', 'visual') + meta('schema:accessModeSufficient', 'textual'),
      'Readable in read aloud or dynamic braille',
    ],
    [feature('alternativeText'), 'Has alternative text'],
    [feature('synchronizedAudioText'), 'Prerecorded audio synchronized with text'],
    [meta('schema:accessModeSufficient', 'auditory'), 'Prerecorded audio only'],
    [meta('schema:accessMode', 'auditory'), 'Prerecorded audio clips'],
    [meta('rendition:layout', 'pre-paginated'), 'Appearance cannot be modified'],
  ])('%s reads as "%s"', async (metadata, statement) => {
    expect((await described(metadata)).statements.waysOfReading).toContain(statement)
  })

  it.each([
    ['flashing', ['Flashing content']],
    ['motionSimulation', ['Motion simulation']],
    ['sound', ['Sounds']],
    ['none', ['No hazards']],
    ['unknown', ['The presence of hazards is unknown']],
    ['noFlashingHazard noMotionSimulationHazard noSoundHazard', ['No hazards']],
    ['unknownFlashingHazard sound', ['Sounds', 'Flashing hazards not known']],
    ['noSoundHazard', ['No sound hazards']],
  ])('the hazards %s read as %j', async (hazards, statements) => {
    const { statements: found } = await described(hazards.split(' ').map(hazard).join(''))
    expect(found.hazards).toEqual(statements)
  })
})

describe('what is missing', () => {
  it('is what EPUB Accessibility requires and recommends', async () => {
    const { missing } = await described('')
    expect(missing.map(({ property, level }) => `${property} ${level}`)).toEqual([
      'accessMode required',
      'accessibilityFeature required',
      'accessibilityHazard required',
      'accessModeSufficient recommended',
      'accessibilitySummary recommended',
      'conformsTo recommended',
    ])
  })

  it('is what EPUB Accessibility 1.2 requires and recommends, where a book claims to meet it', async () => {
    const { missing, statements } = await described(
      meta('dcterms:conformsTo', 'EPUB Accessibility 1.2 - WCAG 2.2 Level AA'),
    )
    expect(missing.map(({ property, level }) => `${property} ${level}`)).toEqual([
      'accessMode recommended',
      'accessibilityFeature required',
      'accessibilityHazard required',
      'accessModeSufficient required',
      'accessibilitySummary recommended',
      'certifiedBy required',
    ])
    expect(statements.conformance).toContain(
      'This publication claims to meet EPUB Accessibility 1.2 WCAG 2.2 Level AA',
    )
  })

  it('is no standard where a book says that it meets none', async () => {
    const { missing } = await described(
      `${meta('dcterms:conformsTo', 'none')}${meta('a11y:exemption', 'eaa-microenterprise')}`,
    )
    expect(missing.map(({ property }) => property)).not.toContain('conformsTo')
  })

  it('is who certified a claim', async () => {
    const found = await described(sound.replace(/<meta property="a11y:certifiedBy".*/, ''))
    expect(found.missing.map(({ property }) => property)).toEqual(['certifiedBy'])
    expect(found.state).toBe('incomplete')
  })
})

describe('a contradiction', () => {
  const image = '<html xmlns="http://www.w3.org/1999/xhtml"><body>\n<p><img src="a.png"'
  const withPage = (page: string): BookParts => ({ entries: { 'EPUB/one.xhtml': page } })

  it.each([
    [feature('alternativeText'), withPage(`${image}/></p></body></html>`), 'alt_missing'],
    [
      meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.0 Level A'),
      withPage(`${image}></p>`),
      'alt_missing',
    ],
    [feature('displayTransformability') + meta('rendition:layout', 'pre-paginated'), {}, 'layout_fixed'],
    [hazard('none') + hazard('flashing'), {}, 'hazards_contradict'],
    [hazard('unknown') + hazard('noSoundHazard'), {}, 'hazards_contradict'],
    [hazard('flashing') + hazard('noFlashingHazard'), {}, 'hazards_contradict'],
    [feature('none') + feature('index'), {}, 'features_contradict'],
    [feature('pageNavigation'), {}, 'page_list_missing'],
    [feature('synchronizedAudioText'), {}, 'media_overlays_missing'],
    [feature('tableOfContents'), { entries: { 'EPUB/nav.xhtml': '<html/>' } }, 'contents_missing'],
    [feature('unlocked'), { entries: { 'META-INF/license.lcpl': '{}' } }, 'protected'],
  ] as const)('%s', async (metadata, parts, code) => {
    const found = await described(metadata, parts)
    expect(codes(found.contradictions)).toEqual([code])
    expect(found.state).toBe('contradictory')
  })

  it('about images says how many, and where the first one is', async () => {
    const { contradictions, content } = await described(
      feature('alternativeText'),
      withPage(`${image} alt="A picture"/><img src="b.png"/><img src='c.png'/></p></body></html>`),
    )
    expect(contradictions).toEqual([
      {
        code: 'alt_missing',
        message: 'It claims alternativeText, and 2 of 3 images have no alternative text.',
        place: 'EPUB/one.xhtml:2',
      },
    ])
    expect(content).toMatchObject({ documents: 1, unseenDocuments: 0, images: 3, imagesWithoutAlt: 2 })
  })

  it.each([
    'alt=""',
    'alt="a > b"',
    "alt='x'",
    'ALT=x',
    'aria-label="x"',
    'role="presentation"',
    'aria-hidden="true"',
    'title="x"',
    'data-x="<img>" alt',
  ])('is none where an image has %s', async attributes => {
    const { contradictions, content } = await described(
      feature('alternativeText'),
      withPage(`${image} ${attributes}/></p><!-- <img src="d.png"/> --></body></html>`),
    )
    expect(contradictions).toEqual([])
    expect(content?.images).toBe(1)
  })

  it('is not looked for in what is encrypted, and that is said', async () => {
    const encryption = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
      <enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><enc:CipherData>
      <enc:CipherReference URI="EPUB/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>`
    const { content, contradictions } = await described(feature('alternativeText'), {
      entries: { 'META-INF/encryption.xml': encryption, 'EPUB/one.xhtml': `${image}/>` },
    })
    expect(content).toMatchObject({ documents: 0, unseenDocuments: 1, images: 0 })
    expect(contradictions).toEqual([])
  })

  it('is only looked for in as many documents as the limits allow, and that is said', async () => {
    const names = Array.from({ length: 503 }, (_, index) => `p${index}`)
    const found = await described(feature('alternativeText'), {
      manifest: names
        .map(id => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`)
        .join(''),
      spine: names.map(id => `<itemref idref="${id}"/>`).join(''),
      entries: Object.fromEntries(names.map(id => [`EPUB/${id}.xhtml`, '<html/>'])),
    })
    expect(found.content).toMatchObject({ documents: 500, unseenDocuments: 3 })
  })
})

it('an audiobook has the metadata of its manifest', async () => {
  const manifest = {
    '@context': ['https://schema.org', 'https://www.w3.org/ns/pub-context'],
    type: 'Audiobook',
    conformsTo: 'https://www.w3.org/TR/audiobooks/',
    name: 'A Title',
    readingOrder: [{ url: 'one.mp3', encodingFormat: 'audio/mpeg' }],
    accessMode: ['auditory'],
    accessModeSufficient: [{ type: 'ItemList', itemListElement: ['auditory'] }, 'textual,visual'],
    accessibilityFeature: 'tableOfContents',
    accessibilityHazard: ['noSoundHazard'],
    accessibilitySummary: { value: 'A summary.', language: 'en' },
  }
  const found = await describedFile(
    rawZip([
      { name: 'publication.json', content: JSON.stringify(manifest) },
      { name: 'one.mp3', content: 'ID3' },
    ]),
    'a.lpf',
  )
  expect(found.metadata).toMatchObject({
    accessMode: ['auditory'],
    accessModeSufficient: [['auditory'], ['textual', 'visual']],
    accessibilityFeature: ['tableOfContents'],
    accessibilityHazard: ['noSoundHazard'],
    accessibilitySummary: ['A summary.'],
  })
  expect(found.statements.waysOfReading).toContain('Prerecorded audio only')
  expect(codes(found.onix.list196)).toEqual(['00', '11', '51'])
  expect({ state: found.state, missing: found.missing }).toEqual({ state: 'declared', missing: [] })
})

describe('a PDF', () => {
  const xmp = (inside: string) =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
    xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`

  it('that meets PDF/UA by its own word says so', async () => {
    const { pdf, state, statements, missing, onix } = await describedFile(
      makePdf({
        info: '/Title (A Title)',
        catalog: '/Lang (en) /MarkInfo << /Marked true >> /ViewerPreferences << /DisplayDocTitle true >>',
        xmp: xmp('<pdfuaid:part>1</pdfuaid:part>'),
      }),
      'a.pdf',
    )
    expect({ pdf, state, missing }).toEqual({
      pdf: { isTagged: true, language: 'en', showsTitle: true, pdfUaPart: '1' },
      state: 'declared',
      missing: [],
    })
    expect(statements.conformance).toEqual(['This publication claims to meet PDF/UA-1'])
    expect(codes(onix.list196)).toEqual(['05'])
  })

  it('whose language stands in its XMP alone does not say it to a screen reader', async () => {
    const { missing } = await describedFile(
      makePdf({ xmp: xmp('<dc:language xmlns:dc="http://purl.org/dc/elements/1.1/">en</dc:language>') }),
      'a.pdf',
    )
    expect(missing.map(({ property }) => property)).toContain('language')
  })

  it('of which nothing is said misses everything', async () => {
    const { pdf, state, missing } = await describedFile(
      makePdf({ xmp: xmp('<pdfaid:part>2</pdfaid:part>') }),
      'a.pdf',
    )
    expect({ pdf, state }).toEqual({ pdf: { isTagged: false, showsTitle: false }, state: 'undeclared' })
    expect(missing.map(({ property }) => property)).toEqual([
      'tags',
      'language',
      'title',
      'displayDocTitle',
      'pdfuaid',
    ])
  })

  it('that claims PDF/UA and is not tagged contradicts itself', async () => {
    const { contradictions, onix } = await describedFile(
      makePdf({ xmp: xmp('').replace('rdf:about=""', 'rdf:about="" pdfuaid:part="2"') }),
      'a.pdf',
    )
    expect(codes(contradictions)).toEqual(['pdf_untagged', 'pdf_title_hidden', 'pdf_language_missing'])
    expect(codes(onix.list196)).toEqual(['06'])
  })
})
