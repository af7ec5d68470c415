import type { DocumentName, DocumentProblem } from '../document-problem.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, parseXml, type XmlElement, xmlLimits } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'
import { doctypeFault } from './check-doctype.ts'
import { readUsualTree } from './usual-tree.ts'

export const packageMediaType = 'application/oebps-package+xml'

/** What a document may take. */
const limit = 8 * 1024 * 1024

/** The same of a package document: a picture library lists 70,000 files. */
const packageLimits = { bytes: 16 * 1024 * 1024, elements: 110_000 }

/** An XML document of the zip; what is wrong with it is added to `problems` as `<name>_<what>`. */
export async function readXml(
  zip: Zip,
  path: string,
  name: DocumentName,
  problems: Problems,
  { entities, version }: { entities?: Readonly<Record<string, string>>; version?: string | undefined } = {},
): Promise<XmlElement | undefined> {
  const severity = name === 'container' || name === 'package' ? 'error' : 'warning'
  let bytes: Buffer
  try {
    bytes = await zip.read(path, name === 'package' ? packageLimits.bytes : limit)
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    const code = error.code.replace('entry', name) as DocumentProblem
    // A damaged file is lost to readers, whatever it says.
    const gravity = error.code === 'entry_damaged' ? 'error' : severity
    problems.push({ severity: gravity, code, message: `This file ${error.message}.`, place: path })
    return undefined
  }
  const elements = name === 'package' ? packageLimits.elements : xmlLimits.elements
  const document =
    readUsualTree(bytes, elements) ??
    parseXml(bytes, {
      elements,
      // Pages are read with their namespaces when they are looked at; here, they would take as much memory again.
      namespaces: name === 'package' || name === 'container' || name === 'encryption',
      ...(entities && { entities }),
    })
  const { root, encoding, declaredEncoding, doctype, error } = document
  if (error) {
    const { line, column } = error
    const at = line === undefined ? undefined : { line, column }
    const message = `This document is not sound XML: ${error.message}.`
    problemsIn(problems, path)(severity, error.code.replace('xml', name) as DocumentProblem, message, at)
  } else if (name === 'package' && !/^utf-(?:8|16)/.test(encoding)) {
    const message = `This document is in ${encoding}, which not every reading system knows.`
    problems.push({ severity: 'warning', code: 'package_encoding_rare', message, place: `${path}:1` })
  }
  if (/^utf-16/.test(encoding) && declaredEncoding && !/^utf-?16/i.test(declaredEncoding)) {
    const message = `This document says that it is in ${declaredEncoding}, and is in UTF-16.`
    problems.push({ severity: 'warning', code: 'encoding_wrong', message, place: `${path}:1` })
  }
  const type = root && types[root.name]
  const fault = doctype && type && doctypeFault(doctype, type, version ?? attributeOf(root, 'version'))
  if (fault) problems.push({ severity: 'warning', code: 'doctype_wrong', message: fault, place: `${path}:1` })
  return root
}

/** The types of the documents of which the document type is looked at, by their outermost elements. */
const types: Readonly<Record<string, string>> = {
  package: packageMediaType,
  ncx: 'application/x-dtbncx+xml',
}
