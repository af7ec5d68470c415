import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export interface PdfParts {
  /** What the Info dictionary holds, such as `/Title (A)`. */
  info?: string
  /** The metadata stream. */
  xmp?: string | Uint8Array
  /** More entries of the catalog, such as `/Lang (en)`. */
  catalog?: string
  pages?: number
  /** Further objects, numbered from 100 on. */
  objects?: readonly (string | Uint8Array)[]
  /** Encrypts it for this password; the title is then `Secret`. */
  password?: string
  /** What it permits, as the bits of the flag that encrypted documents have. */
  permissions?: number
  /** An encryption dictionary as it stands. */
  encrypt?: string
  trailer?: string
}

/** A stream object, compressed, with more entries for its dictionary. */
export function pdfStream(content: string | Uint8Array, entries = ''): Buffer {
  const body = deflateSync(content, { level: 1 })
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${body.length} >>\nstream\n`),
    body,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF of empty pages. */
export function makePdf(parts: PdfParts = {}): Buffer {
  const { pages = 2, catalog = '' } = parts
  const kids = Array.from({ length: pages }, (_, index) => `${index + 10} 0 R`).join(' ')
  const objects = new Map<number, string | Uint8Array>([
    [
      1,
      `<< /Type /Catalog ${catalog.includes('/Pages') ? '' : '/Pages 2 0 R'} ${parts.xmp === undefined ? '' : '/Metadata 4 0 R'} ${catalog} >>`,
    ],
    [2, `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`],
  ])
  for (let page = 0; page < pages; page += 1) {
    objects.set(page + 10, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] >>')
  }
  if (parts.info !== undefined) objects.set(3, `<< ${parts.info} >>`)
  if (parts.xmp !== undefined) objects.set(4, pdfStream(parts.xmp, '/Type /Metadata /Subtype /XML'))
  if (parts.encrypt !== undefined) objects.set(5, parts.encrypt)
  if (parts.password !== undefined) {
    const { dictionary, title } = encryption(parts.password, 3, 'Secret', parts.permissions)
    objects.set(5, dictionary)
    objects.set(3, `<< /Title <${title.toString('hex')}> >>`)
  }
  for (const [index, object] of (parts.objects ?? []).entries()) objects.set(index + 100, object)
  const more = [
    objects.has(3) ? '/Info 3 0 R' : '',
    objects.has(5) ? `/Encrypt 5 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]` : '',
    parts.trailer ?? '',
  ]
  return written(objects, more.join(' '))
}

function written(objects: ReadonlyMap<number, string | Uint8Array>, trailer: string): Buffer {
  const chunks = [Buffer.from('%PDF-1.7\n')]
  const rows: string[] = []
  let offset = (chunks[0] as Buffer).length
  for (const [number, content] of objects) {
    const chunk = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(content as string),
      Buffer.from('\nendobj\n'),
    ])
    rows.push(`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
    chunks.push(chunk)
    offset += chunk.length
  }
  const size = Math.max(...objects.keys()) + 1
  const end = `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`
  return Buffer.concat([...chunks, Buffer.from(end)])
}

const id = Buffer.from('0123456789abcdef')
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** The standard handler of PDF 1.1 with a key of 40 bits, and a text encrypted by it. */
function encryption(
  password: string,
  object: number,
  text: string,
  permissions = -44,
): { dictionary: string; title: Buffer } {
  const padded = (secret: string) => Buffer.concat([Buffer.from(secret), padding]).subarray(0, 32)
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(password))
  const allowed = Buffer.alloc(4)
  allowed.writeInt32LE(permissions)
  const key = md5(Buffer.concat([padded(password), owner, allowed, id])).subarray(0, 5)
  const user = rc4(key, padding)
  const objectKey = md5(Buffer.concat([key, Buffer.from([object, 0, 0, 0, 0])])).subarray(0, 10)
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P ${permissions} >>`,
    title: rc4(objectKey, Buffer.from(text)),
  }
}

const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest()

/** Node's own crypto no longer has it. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number): number => state[index & 255] as number
  const swap = (a: number, b: number) => {
    const before = at(a)
    state[a & 255] = at(b)
    state[b & 255] = before
  }
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  let j = 0
  return Buffer.from(
    bytes.map((byte, index) => {
      const i = index + 1
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}
