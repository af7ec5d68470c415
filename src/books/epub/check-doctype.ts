import { quotedText } from '../book.ts'

/** The documents that EPUB 3 lets name a document type of another place, by their types. */
const allowed: Readonly<Record<string, RegExp>> = {
  'image/svg+xml': /^-\/\/W3C\/\/DTD SVG 1\.[01]/,
  'application/mathml+xml': /^-\/\/W3C\/\/DTD MathML 3\.0\/\/EN$/,
  'application/mathml-presentation+xml': /^-\/\/W3C\/\/DTD MathML 3\.0\/\/EN$/,
  'application/mathml-content+xml': /^-\/\/W3C\/\/DTD MathML 3\.0\/\/EN$/,
  'application/x-dtbncx+xml': /^-\/\/NISO\/\/DTD ncx 2005-1\/\/EN$/,
}

/** The same of EPUB 2 where it is certain. */
const allowedIn2: Readonly<Record<string, RegExp>> = {
  'application/oebps-package+xml': /^\+\/\/ISBN 0-9673008-1-9\/\/DTD OEB 1\.[02] Package\/\/EN$/,
}

/** What is wrong with a document type, given as what stands after `<!DOCTYPE`. */
export function doctypeFault(doctype: string, mediaType: string, version = ''): string | undefined {
  const found = /^\s{0,20}[\w:.-]{1,100}\s{1,20}(?:PUBLIC\s{1,20}["']([^"']{0,300})["']|SYSTEM)/.exec(doctype)
  if (!found) return undefined
  const [, identifier = ''] = found
  const said = `the document type names ${quotedText(identifier || 'a file of another place')}`
  if (version.startsWith('3')) {
    return allowed[mediaType]?.test(identifier) ? undefined : `${said}, which EPUB 3 does not allow here`
  }
  const rule = allowedIn2[mediaType]
  return rule === undefined || rule.test(identifier)
    ? undefined
    : `${said}, which is not that of this document`
}
