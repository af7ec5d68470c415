import { basename } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { partFailed } from '../../cli/for-each.ts'
import type { View } from '../../cli/output/view.ts'
import type { Resource } from '../../service/client/read.ts'
import { type AssetUpload, assets } from '../../service/contract/assets.ts'
import { Failure, isFatal, UsageFailure } from '../../system/errors.ts'
import { shellWord } from '../../system/shell-word.ts'
import { fileSizeOf } from '../../uploads/options/file-size.ts'
import { sendToSession } from '../../uploads/options/send-to-session.ts'

type Descriptor = Resource<typeof AssetUpload>

/** What became of one file. */
interface Outcome {
  readonly file: string
  readonly type: string
  readonly bytes: number
  /** The asset that was created for it. */
  readonly id: string | null
  readonly outcome: 'uploaded' | 'failed'
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null
}

/**
 * Creates an asset for each file with one request, sends each file, and shows what became of each. A single file's
 * failure is the command's own; of several, the others go on (exit code 10).
 */
export async function uploadAssets(
  context: Context,
  view: View,
  files: readonly string[],
  type: string,
): Promise<void> {
  const unique = [...new Set(files)]
  const sizes: number[] = []
  for (const file of unique) sizes.push(await fileSizeOf(file))
  const reply = await context.change(assets.create, {
    assets: unique.map(file => ({ type, filename: basename(file) })),
  })
  if (!reply) {
    for (const [index, file] of unique.entries()) {
      const body = { file, bytes: sizes[index] }
      context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body })
    }
    return
  }
  const descriptors = descriptorsFor(unique, reply.value.result)
  const outcomes: Outcome[] = []
  const failures: { id: string; failure: Failure }[] = []
  let fatal: Failure | undefined
  for (const [index, file] of unique.entries()) {
    const descriptor = descriptors[index]
    const made = { file, type, bytes: sizes[index] ?? 0, id: descriptor?.id ?? null }
    try {
      if (fatal) throw fatal
      await sendAsset(context, descriptor, file, made.bytes)
      outcomes.push({ ...made, outcome: 'uploaded', error: null })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const failure = await notSent(context, file, descriptor, error)
      if (unique.length === 1) throw failure
      if (isFatal(error)) fatal = error
      const { code, message, hint = null } = failure
      outcomes.push({ ...made, outcome: 'failed', error: { code, message, hint } })
      // The hint names the file that the session is kept in, which a person needs for each of them.
      const text = hint === null ? message : `${message}. ${hint}`
      failures.push({ id: file, failure: new Failure(text, { code, exitCode: failure.exitCode }) })
    }
  }
  await (unique.length === 1 ? context.item(view, outcomes[0]) : context.list(view, [outcomes]))
  if (fatal) throw fatal
  if (failures.length > 0) throw partFailed(failures, unique.length)
}

/** The descriptor of each file: by its name, and by its place where the service gives none. */
function descriptorsFor(files: readonly string[], given: readonly Descriptor[]): (Descriptor | undefined)[] {
  const used = new Set<Descriptor>()
  return files.map((file, index) => {
    const named = given.find(each => !used.has(each) && each.filename === basename(file))
    const atPlace = given[index]
    const found = named ?? (atPlace?.filename === null ? atPlace : undefined)
    if (found) used.add(found)
    return found
  })
}

async function sendAsset(
  context: Context,
  descriptor: Descriptor | undefined,
  file: string,
  bytes: number,
): Promise<void> {
  const { targetOf, unusable } = await import('../../uploads/session.ts')
  if (descriptor === undefined) throw unusable('result')
  await sendToSession(context, targetOf(descriptor), { path: file, bytes }, basename(file))
}

/** The failure of an asset that was created and did not get its file: which one it is, and how to send it after all. */
async function notSent(
  context: Context,
  file: string,
  descriptor: Descriptor | undefined,
  failure: Failure,
): Promise<Failure> {
  const { code, exitCode, status, requestId, hint } = failure
  const id = descriptor?.id
  if (!id || failure instanceof UsageFailure || code === 'bad_session') return failure
  const { keepUnsentAsset } = await import('../../uploads/unsent-asset.ts')
  const session = keepUnsentAsset(context.directories.dataDir, descriptor, context.world.clock.now())
  return new Failure(`the asset ${id} was created, and ${file} was not sent: ${failure.message}`, {
    ...{ code, exitCode, requestId, cause: failure },
    ...(status === undefined ? {} : { status }),
    hint: [
      hint,
      session === undefined
        ? `Delete it before you try again: pubctl assets delete ${shellWord(id)}`
        : `To send it, within the life of its session: pubctl uploads put ${shellWord(file)} --session ${shellWord(session)}`,
    ]
      .filter(Boolean)
      .join(' '),
  })
}
