import { basename } from 'node:path'
import type { Context } from '../../cli/context.ts'
import type { UploadBody } from '../../service/client/upload-body.ts'
import { UsageFailure } from '../../system/errors.ts'
import { mustFitSession } from '../fits-session.ts'
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
  const { file: target, cover: coverTarget } = await readSessionFile(context, session)
  const bytes = await fileSizeOf(file)
  await mustFitSession(file, target)
  const cover = choice === 'none' ? undefined : await coverOf(file, choice)
  if (cover && !coverTarget) {
    throw new UsageFailure('the session has no place for a cover', {
      code: 'no_place_for_cover',
      hint: 'Nothing was sent. Ask for one when you create the session: --cover cover.jpg',
    })
  }
  if (cover && coverTarget && 'path' in cover) await mustFitSession(cover.path, coverTarget)
  if (coverTarget && !cover) {
    await context.warn({
      code: 'cover_not_sent',
      message: 'the session has a place for a cover, and none is sent',
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
async function coverOf(file: string, choice: string): Promise<UploadBody & { readonly name: string }> {
  if (choice !== 'auto') {
    const { readSoundCover } = await import('../../books/cover-file.ts')
    const { length } = await readSoundCover(choice)
    return { path: choice, bytes: length, name: choice }
  }
  const { readHere } = await import('../reading/reading.ts')
  const { cover } = await readHere(file, true)
  if (cover) return { content: cover.bytes, name: cover.filename }
  throw new UsageFailure(`${file} has no cover in it`, {
    code: 'no_cover',
    hint: 'Name an image file with --cover.',
  })
}
