import { basename } from 'node:path'
import type { Context } from '../../cli/context.ts'
import type { UploadBody } from '../../service/client/upload-body.ts'
import type { PutTarget } from '../../service/client/upload-target.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import { openFile } from '../../system/open-file.ts'
import { fileSizeOf } from '../options/file-size.ts'
import { sendToSession } from '../options/send-to-session.ts'
import { readSessionFile } from './session-file.ts'

interface Sent {
  readonly file: string
  readonly bytes: number
  readonly outcome: 'uploaded'
  /** The image that was sent for the cover. */
  readonly cover: string | null
}

/**
 * Sends a file to the session in a file, after its cover, because processing begins when the file arrives. Everything is checked
 * before anything is sent. Returns undefined for `--dry-run`.
 */
export async function putFiles(
  context: Context,
  file: string,
  { session, cover: choice }: { session: string; cover: string },
): Promise<Sent | undefined> {
  const { mayRead } = context.world
  const { file: target, cover: coverTarget } = await readSessionFile(context, session)
  const bytes = await fileSizeOf(file)
  await mustFitSession(file, target, mayRead)
  const cover = choice === 'none' ? undefined : await coverOf(file, choice, mayRead)
  if (cover && !coverTarget) {
    throw new UsageFailure('the session has no place for a cover', {
      code: 'no_place_for_cover',
      hint: 'Nothing was sent. Ask for one when you create the session: --cover cover.jpg',
    })
  }
  if (cover && coverTarget && 'path' in cover) await mustFitSession(cover.path, coverTarget, mayRead)
  if (coverTarget && !cover) {
    await context.warn({
      code: 'cover_not_sent',
      message: 'the session has a place for a cover, and no cover was sent',
      hint: 'Name the image with --cover.',
    })
  }
  if (context.options.dryRun) {
    if (cover) {
      const body = { file: cover.name, bytes: 'content' in cover ? cover.content.length : cover.bytes }
      context.plan({ method: 'PUT', url: "(the session's cover upload URL)", body })
    }
    context.plan({ method: 'PUT', url: "(the session's upload URL)", body: { file, bytes } })
    return undefined
  }
  if (cover && coverTarget) await sendToSession(context, coverTarget, cover, basename(cover.name))
  await sendToSession(context, target, { path: file, bytes }, basename(file))
  return { file, bytes, outcome: 'uploaded', cover: cover?.name ?? null }
}

/** The cover image: a file, or the one in the book. */
async function coverOf(
  file: string,
  choice: string,
  mayRead: MayRead,
): Promise<UploadBody & { readonly name: string }> {
  if (choice !== 'auto') {
    const { readSoundCover } = await import('../../books/cover-file.ts')
    const { length } = await readSoundCover(choice, mayRead)
    return { path: choice, bytes: length, name: choice }
  }
  const { readHere } = await import('../reading/reading.ts')
  const { cover } = await readHere(file, mayRead, true)
  if (cover) return { content: cover.bytes, name: cover.filename }
  throw new UsageFailure(`${file} has no cover in it`, {
    code: 'no_cover',
    hint: 'Name an image file with --cover.',
  })
}

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
async function mustFitSession(path: string, { requiredHeaders }: PutTarget, mayRead: MayRead): Promise<void> {
  const required = Object.entries(requiredHeaders).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1]
  const type = required?.split(';')[0]?.trim().toLowerCase() ?? ''
  const wanted = /^(font\/|application\/(x-)?font)/.test(type) ? 'font' : type
  if (!known.includes(wanted)) return
  const kind = await kindOf(path, mayRead)
  if (kind === wanted) return
  throw new UsageFailure(
    `${path} is ${kind === undefined ? 'of another kind' : kindName(kind)}, and the session is for ${kindName(wanted)}`,
    {
      code: 'wrong_kind',
      hint: 'Nothing was sent. Name the file that the session was made for, or make one for this file.',
    },
  )
}

async function kindOf(path: string, mayRead: MayRead): Promise<string | undefined> {
  const file = await openFile(path, mayRead)
  let start: string
  try {
    const bytes = Buffer.alloc(1024)
    start = bytes.subarray(0, await file.read(bytes, 0)).toString('latin1')
  } finally {
    await file.close()
  }
  const kind = beginnings.find(([, pattern]) => pattern.test(start))?.[0]
  if (kind !== undefined || !start.startsWith('PK')) return kind
  const { readBook } = await import('../../books/index.ts')
  const { type } = await readBook(path, mayRead).catch(() => ({ type: undefined }))
  return type === 'EPUB' ? 'application/epub+zip' : type === 'Audio' ? 'application/lpf+zip' : undefined
}

const kindName = (kind: string): string =>
  ({
    'application/epub+zip': 'an EPUB',
    'application/lpf+zip': 'an audiobook (LPF)',
    'application/pdf': 'a PDF',
    font: 'a font',
  })[kind] ?? `an image (${kind})`
