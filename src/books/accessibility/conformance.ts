/** The standards that a book says it meets. */
export interface ConformanceClaim {
  epubAccessibility: '1.0' | '1.1' | '1.2'
  wcag: '2.0' | '2.1' | '2.2'
  level: 'A' | 'AA' | 'AAA'
}

/**
 * The claim in the values of `dcterms:conformsTo`, that of the newest specification first, as
 * https://www.w3.org/publishing/a11y/metadata-display-guide/techniques/epub/#conformance reads them. EPUB Accessibility 1.2
 * (https://www.w3.org/TR/epub-a11y-12/) writes it as 1.1 does.
 */
export function claimIn(conformsTo: readonly string[]): ConformanceClaim | undefined {
  const newer = conformsTo.flatMap(text => {
    const [, epubAccessibility, wcag, level] =
      /EPUB Accessibility (1\.[12]) - WCAG (2\.[0-2]) Level (A{1,3})(?!A)/i.exec(text) ?? []
    return level === undefined
      ? []
      : [{ epubAccessibility, wcag, level: level.toUpperCase() } as ConformanceClaim]
  })
  const [newest] = newer.sort((a, b) => (a.epubAccessibility < b.epubAccessibility ? 1 : -1))
  if (newest) return newest
  const older = conformsTo.flatMap(
    text =>
      /^https?:\/\/www\.idpf\.org\/epub\/a11y\/accessibility-20170105\.html#wcag-(a{1,3})$/i.exec(
        text,
      )?.[1] ?? [],
  )
  const highest = older.sort((a, b) => b.length - a.length)[0]
  return highest === undefined
    ? undefined
    : { epubAccessibility: '1.0', wcag: '2.0', level: highest.toUpperCase() as ConformanceClaim['level'] }
}

/** The values that speak of accessibility but name no standard that is known. Other values are about other standards. */
export const unknownClaimsIn = (conformsTo: readonly string[]): string[] =>
  conformsTo.filter(text => claimIn([text]) === undefined && /accessib|a11y|wcag/i.test(text))
