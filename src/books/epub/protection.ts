import { quotedText } from '../book.ts'
import { resolveHref } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childOf, descendantsOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'
import type { Package } from './package.ts'
import { readXml } from './read-xml.ts'

const encryptionPath = 'META-INF/encryption.xml'

/** Fonts that are made hard to copy; every reading application can undo that, and it protects no text. */
const fontObfuscations = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

export interface Protection {
  /** The name of what protects the book, if anything does. */
  drm?: string
  /** The entries that are encrypted. */
  encrypted: ReadonlySet<string>
  /** The entries of which only the beginning is changed, which is allowed for fonts. */
  obfuscated: ReadonlySet<string>
}

/** What keeps an EPUB from being read; adds a problem when something does. */
export async function findProtection(zip: Zip, problems: Problems): Promise<Protection> {
  const add = problemsIn(problems, encryptionPath)
  const encryption = zip.entries.has(encryptionPath)
    ? await readXml(zip, encryptionPath, 'encryption', problems)
    : undefined
  if (encryption && encryption.name !== 'encryption') {
    add('warning', 'encryption_wrong', 'This is no list of encrypted files.', encryption.position)
  }
  checkEncryption(encryption, add)
  const all = descendantsOf(encryption, 'EncryptedData').map(data => ({
    position: data.position,
    algorithm: attributeOf(childOf(data, 'EncryptionMethod'), 'Algorithm') ?? '',
    path: resolveHref('', attributeOf(descendantsOf(data, 'CipherReference')[0], 'URI') ?? ''),
  }))
  const isObfuscation = ({ algorithm }: { algorithm: string }) => fontObfuscations.includes(algorithm)
  const pathsOf = (some: typeof all) => new Set(some.flatMap(({ path }) => (path ? [zip.nameAt(path)] : [])))
  const others = all.filter(data => !isObfuscation(data))
  const found = { encrypted: pathsOf(others), obfuscated: pathsOf(all.filter(isObfuscation)) }
  const drm = await schemeOf(zip, others.length > 0)
  if (drm !== undefined) {
    add('error', 'drm', `The book is protected by ${drm}, so nobody can read it without a licence.`)
    return { ...found, drm }
  }
  if (others.length === 0) return found
  const what = others.length === 1 ? 'a file that is' : `${others.length} files that are`
  add(
    'information',
    'encryption_unknown',
    `The book has ${what} encrypted by a method that is not known.`,
    others[0]?.position,
  )
  return { ...found, drm: 'unknown' }
}

function checkEncryption(encryption: XmlElement | undefined, add: ReturnType<typeof problemsIn>): void {
  const ids = new Set<string>()
  for (const element of [
    ...descendantsOf(encryption, 'EncryptedKey'),
    ...descendantsOf(encryption, 'EncryptedData'),
  ]) {
    const id = attributeOf(element, 'Id')
    if (id === undefined) continue
    if (ids.has(id))
      add('warning', 'encryption_wrong', `The id ${quotedText(id)} occurs twice.`, element.position)
    ids.add(id)
  }
  for (const element of descendantsOf(encryption, 'Compression')) {
    const isSound =
      /^[08]$/.test(attributeOf(element, 'Method') ?? '') &&
      /^\d+$/.test(attributeOf(element, 'OriginalLength') ?? '')
    if (!isSound)
      add(
        'warning',
        'encryption_wrong',
        'The method or length of a compression is not valid.',
        element.position,
      )
  }
}

/** The fonts that every reading system of EPUB 3 knows (EPUB 3.3, 3.2). */
const coreFonts = [
  ...['font/ttf', 'font/otf', 'font/woff', 'font/woff2', 'application/font-sfnt'],
  ...['application/vnd.ms-opentype', 'application/font-woff'],
]

/** Adds the files other than fonts of which the beginning is changed, so that no reading system shows them. */
export function checkObfuscated(
  { items, path, version }: Package,
  { obfuscated }: Protection,
  problems: Problems,
): void {
  for (const item of items) {
    if (item.path === undefined || !obfuscated.has(item.path)) continue
    const isFont = version?.startsWith('3')
      ? coreFonts.includes(item.mediaType)
      : /font|opentype|truetype|octet-stream/.test(item.mediaType)
    if (isFont) continue
    const message = `${item.path} is obfuscated as a font, and is declared as ${item.mediaType}.`
    problemsIn(problems, path)('warning', 'obfuscation_unfit', message, item.position)
  }
}

const signaturesPath = 'META-INF/signatures.xml'

/** Adds it when the signatures are no list of signatures. */
export async function checkSignatures(zip: Zip, problems: Problems): Promise<void> {
  if (!zip.entries.has(signaturesPath)) return
  const root = await readXml(zip, signaturesPath, 'signatures', problems)
  if (root === undefined || root.name === 'signatures') return
  const message = 'This is no list of signatures.'
  problemsIn(problems, signaturesPath)('warning', 'signatures_wrong', message, root.position)
}

async function schemeOf(zip: Zip, isEncrypted: boolean): Promise<string | undefined> {
  if (zip.entries.has('META-INF/license.lcpl')) return 'Readium LCP'
  if (zip.entries.has('META-INF/sinf.xml')) return 'Apple FairPlay'
  if (!isEncrypted) return undefined
  const rights = (await zip.readStart('META-INF/rights.xml', 64 * 1024).catch(() => undefined))?.toString(
    'latin1',
  )
  return rights?.includes('http://ns.adobe.com/adept') ? 'Adobe ADEPT' : undefined
}
