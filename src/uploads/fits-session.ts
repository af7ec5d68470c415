import type { PutTarget } from '../service/client/upload-target.ts'
import { UsageFailure } from '../system/errors.ts'
import { openFile } from '../system/open-file.ts'

/** The first bytes of files, by media type. */
const beginnings: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['application/pdf', /^.{0,1019}%PDF-/s],
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/svg+xml', /^.{0,512}<svg[\s>]/s],
  ['font', /^(wOF[F2]|OTTO|true|ttcf|\0\x01\0\0)/],
]

/** The media types that can be recognised. */
const known = ['application/epub+zip', 'application/lpf+zip', ...beginnings.map(([kind]) => kind)]

/**
 * Refuses a file whose media type is not the one that the session requires, because it would replace the book or the image
 * that the session is for. Types that cannot be recognised, such as audio, are accepted. Throws UsageFailure `wrong_kind`.
 */
export async function mustFitSession(path: string, { requiredHeaders }: PutTarget): Promise<void> {
  const required = Object.entries(requiredHeaders).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1]
  const type = required?.split(';')[0]?.trim().toLowerCase() ?? ''
  const wanted = /^(font\/|application\/(x-)?font)/.test(type) ? 'font' : type
  if (!known.includes(wanted)) return
  const kind = await kindOf(path)
  if (kind === wanted) return
  throw new UsageFailure(
    `${path} is ${kind === undefined ? 'of another kind' : kindName(kind)}, and the session is for ${kindName(wanted)}`,
    {
      code: 'wrong_kind',
      hint: 'Nothing was sent. Name the file that the session was made for, or make one for this file.',
    },
  )
}

async function kindOf(path: string): Promise<string | undefined> {
  const file = await openFile(path)
  let start: string
  try {
    const bytes = Buffer.alloc(1024)
    start = bytes.subarray(0, await file.read(bytes, 0)).toString('latin1')
  } finally {
    await file.close()
  }
  const kind = beginnings.find(([, pattern]) => pattern.test(start))?.[0]
  if (kind !== undefined || !start.startsWith('PK')) return kind
  const { readBook } = await import('../books/index.ts')
  const { type } = await readBook(path).catch(() => ({ type: undefined }))
  return type === 'EPUB' ? 'application/epub+zip' : type === 'Audio' ? 'application/lpf+zip' : undefined
}

const kindName = (kind: string): string =>
  ({
    'application/epub+zip': 'an EPUB',
    'application/lpf+zip': 'an audiobook (LPF)',
    'application/pdf': 'a PDF',
    font: 'a font',
  })[kind] ?? `an image (${kind})`
