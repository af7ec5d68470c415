import { quotedText } from '../book.ts'

const mathml = ['-//W3C//DTD MathML 3.0//EN', 'http://www.w3.org/Math/DTD/mathml3/mathml3.dtd']

/** The document types of other places that EPUB 3 allows, by the type of the document. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'image/svg+xml': ['-//W3C//DTD SVG 1.1//EN', 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'],
  'application/mathml+xml': mathml,
  'application/mathml-presentation+xml': mathml,
  'application/mathml-content+xml': mathml,
  'application/x-dtbncx+xml': [
    '-//NISO//DTD ncx 2005-1//EN',
    'http://www.daisy.org/z3986/2005/ncx-2005-1.dtd',
  ],
  'application/xhtml+xml': ['', 'about:legacy-compat'],
}

/** The same of EPUB 2 where it is certain. */
const allowedIn2: Readonly<Record<string, RegExp>> = {
  'application/oebps-package+xml': /^\+\/\/ISBN 0-9673008-1-9\/\/DTD OEB 1\.[02] Package\/\/EN$/,
}

/** What is wrong with a document type, given as what stands after `<!DOCTYPE`. */
export function doctypeFault(doctype: string, mediaType: string, version = ''): string | undefined {
  const found =
    /^\s{0,20}[\w:.-]{1,100}\s{1,20}(?:PUBLIC\s{1,20}["']([^"']{0,300})["']|SYSTEM)(?:\s{1,20}["']([^"']{0,300})["'])?/.exec(
      doctype,
    )
  if (!found) return undefined
  const [, identifier = '', address = ''] = found
  const said = `The document type names ${quotedText(identifier || address)}`
  if (version.startsWith('3')) {
    const [knownIdentifier, knownAddress] = allowed[mediaType] ?? []
    if (identifier === knownIdentifier && address === knownAddress) return undefined
    return `${said}, which EPUB 3 does not allow here.`
  }
  const rule = allowedIn2[mediaType]
  return rule === undefined || rule.test(identifier)
    ? undefined
    : `${said}, which is not that of this document.`
}
