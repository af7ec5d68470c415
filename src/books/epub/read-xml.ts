import type { Problem } from '../book.ts'
import { parseXml, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { EntryError } from '../zip-entry.ts'

/** What a document may take; the largest package documents of real books are of 2 MiB. */
const limit = 8 * 1024 * 1024

/** A book of ten thousand pages and as many pictures has 30,000. */
const packageElements = 40_000

/** An XML document of the zip; what is wrong with it is added to `problems` as `<name>_<what>`. */
export async function readXml(
  zip: Zip,
  path: string,
  name: 'container' | 'package' | 'navigation' | 'options' | 'cover_page' | 'encryption',
  problems: Problem[],
  entities?: Readonly<Record<string, string>>,
): Promise<XmlElement | undefined> {
  const severity = name === 'container' || name === 'package' ? 'error' : 'warning'
  let bytes: Buffer
  try {
    bytes = await zip.read(path, limit)
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    const code = error.code.replace('entry', name)
    problems.push({ severity, code, message: `${path} ${error.message}.`, place: path })
    return undefined
  }
  const { root, error } = parseXml(bytes, {
    ...(name === 'package' && { elements: packageElements }),
    ...(entities && { entities }),
  })
  if (error) {
    const place = error.line === undefined ? path : `${path}:${error.line}`
    const message = `${path} is not sound XML: ${error.message}.`
    problems.push({ severity, code: error.code.replace('xml', name), message, place })
  }
  return root
}
