import type { Problem } from '../book.ts'
import { attributeOf, childOf, descendantsOf } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { readXml } from './read-xml.ts'

const encryptionPath = 'META-INF/encryption.xml'

/** Fonts that are made hard to copy; every reading application can undo that, and it protects no text. */
const fontObfuscations = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

/** The name of what protects an EPUB, if anything does; adds a problem when something does. */
export async function findDrm(zip: Zip, problems: Problem[]): Promise<string | undefined> {
  const drm = await nameOf(zip, problems)
  if (drm === undefined) return undefined
  const by = drm === 'unknown' ? 'encryption' : drm
  const message = `The book is protected by ${by}, so nobody can read it without a licence.`
  problems.push({ severity: 'error', code: 'drm', message, place: encryptionPath })
  return drm
}

async function nameOf(zip: Zip, problems: Problem[]): Promise<string | undefined> {
  if (zip.entries.has('META-INF/license.lcpl')) return 'Readium LCP'
  if (zip.entries.has('META-INF/sinf.xml')) return 'Apple FairPlay'
  if (!zip.entries.has(encryptionPath)) return undefined
  const encryption = await readXml(zip, encryptionPath, 'encryption', problems)
  const algorithms = descendantsOf(encryption, 'EncryptedData').map(data =>
    attributeOf(childOf(data, 'EncryptionMethod'), 'Algorithm'),
  )
  if (algorithms.every(algorithm => algorithm !== undefined && fontObfuscations.includes(algorithm)))
    return undefined
  const rights = (await zip.readStart('META-INF/rights.xml', 64 * 1024).catch(() => undefined))?.toString(
    'latin1',
  )
  return rights?.includes('http://ns.adobe.com/adept') ? 'Adobe ADEPT' : 'unknown'
}
