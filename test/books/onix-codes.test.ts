import { describe, expect, it } from 'vitest'
import { codes, described, feature, hazard, meta, oldMeta } from '../support/books/accessible-book.ts'

describe('the ONIX codes', () => {
  it.each([
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.0 Level A'), ['04', '80', '84']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.0 Level AA'), ['04', '80', '85']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.0 Level AAA'), ['04', '80', '86']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.1 Level A'), ['04', '81', '84']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.1 Level AA'), ['04', '81', '85']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.1 Level AAA'), ['04', '81', '86']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level A'), ['04', '82', '84']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level AA'), ['04', '82', '85']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.2 Level AAA'), ['04', '82', '86']],
    // The list has no code for 1.2.
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.2 - WCAG 2.1 Level A'), ['81', '84']],
    [meta('dcterms:conformsTo', 'EPUB Accessibility 1.2 - WCAG 2.2 Level AA'), ['82', '85']],
    [
      meta('dcterms:conformsTo', 'EPUB Accessibility 1.2 - WCAG 2.2 Level AAA') +
        meta('dcterms:conformsTo', 'EPUB Accessibility 1.1 - WCAG 2.0 Level A'),
      ['82', '86'],
    ],
    [
      '<link rel="dcterms:conformsTo" href="http://www.idpf.org/epub/a11y/accessibility-20170105.html#wcag-a"/>',
      ['02'],
    ],
    [
      '<link rel="dcterms:conformsTo" href="http://www.idpf.org/epub/a11y/accessibility-20170105.html#wcag-aa"/>',
      ['03'],
    ],
    [
      oldMeta('dcterms:conformsTo', 'http://www.idpf.org/epub/a11y/accessibility-20170105.html#wcag-aaa'),
      ['03', '86'],
    ],
    [meta('dcterms:conformsTo', 'http://example.org/a11y'), []],
    [meta('a11y:certifiedBy', 'A Certifier'), ['90']],
    [meta('a11y:certifiedBy', 'https://certifier.example'), ['93']],
    [meta('a11y:certifierCredential', 'A Credential'), ['88']],
    [meta('a11y:certifierCredential', 'https://certifier.example/credential'), ['89']],
    [meta('a11y:exemption', 'eaa-microenterprise'), ['75']],
    [meta('a11y:exemption', 'eaa-disproportionate-burden'), ['76']],
    [meta('a11y:exemption', 'eaa-fundamental-alteration'), ['77']],
    [meta('schema:accessibilitySummary', 'A summary.'), ['00']],
    [meta('schema:accessModeSufficient', 'auditory'), ['51']],
    [meta('schema:accessModeSufficient', 'textual'), ['52']],
    [meta('schema:accessModeSufficient', 'textual,visual'), []],
    [feature('none'), ['09']],
    [feature('unknown'), ['08']],
    [feature('alternativeText'), ['14']],
    [feature('ARIA'), ['30']],
    [feature('ChemML'), ['18']],
    [feature('describedMath'), ['53']],
    [feature('displayTransformability'), ['36']],
    [feature('highContrastAudio'), ['27']],
    [feature('highContrastDisplay'), ['37']],
    [feature('index'), ['12']],
    [feature('latex'), ['35']],
    [feature('latex-chemistry'), ['54']],
    [feature('longDescription'), ['15']],
    [feature('MathML'), ['17']],
    [feature('MathML-chemistry'), ['34']],
    [feature('pageBreakMarkers'), ['19']],
    [feature('printPageNumbers'), ['19']],
    [feature('pageNavigation'), ['41']],
    [feature('readingOrder'), ['13']],
    [feature('structuralNavigation'), ['29']],
    [feature('synchronizedAudioText'), ['20']],
    [feature('tableOfContents'), ['11']],
    [feature('ttsMarkup'), ['21']],
    [feature('unlocked'), []],
  ] as const)('of %s are %j', async (metadata, expected) => {
    expect(codes((await described(metadata)).onix.list196)).toEqual(expected)
  })

  it('that hang on what a book does not say have their condition', async () => {
    const report = '<link rel="a11y:certifierReport" href="https://certifier.example/report"/>'
    const { onix } = await described(
      feature('longDescription') + meta('schema:accessibilitySummary', 'Mind chapter 3.') + report,
    )
    expect(onix.list196Conditional).toMatchObject([
      { code: '16', condition: expect.any(String) },
      { code: '92', value: 'Mind chapter 3.', condition: expect.any(String) },
      { code: '94', value: 'https://certifier.example/report', condition: expect.any(String) },
      { code: '95', value: 'https://certifier.example/report', condition: expect.any(String) },
    ])
    const own = await described(
      `<dc:publisher>A Press</dc:publisher>${meta('a11y:certifiedBy', 'A Press')}${report}`,
    )
    expect(codes(own.onix.list196)).toEqual(['90', '96'])
    expect(own.onix.list196Conditional).toEqual([])
  })

  it('have the date of the assessment and the hazards', async () => {
    const { onix } = await described(
      `<meta id="claim" property="dcterms:conformsTo">EPUB Accessibility 1.1 - WCAG 2.1 Level AA</meta>
      <meta property="dcterms:date" refines="#claim">2026-03-04</meta>${hazard('none')}`,
    )
    expect(onix.list196).toContainEqual({
      code: '91',
      label: 'Latest accessibility assessment date',
      value: '20260304',
    })
    expect(onix.list143).toEqual([{ code: '00', label: 'No known hazards or warnings' }])
  })

  it.each([
    ['flashing', '13'],
    ['noFlashingHazard', '14'],
    ['sound', '15'],
    ['noSoundHazard', '16'],
    ['motionSimulation', '17'],
    ['noMotionSimulationHazard', '18'],
    ['unknownFlashingHazard', '24'],
    ['unknownSoundHazard', '25'],
    ['unknownMotionSimulationHazard', '26'],
  ])('of the hazard %s is %s of list 143', async (name, code) => {
    expect(codes((await described(hazard(name))).onix.list143)).toEqual([code])
  })
})
