import { basename } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { recordsIn } from '../client/pages.ts'
import type { Context } from '../context.ts'
import { Asset, assets } from '../contract/assets.ts'
import { fieldsOf } from '../contract/fields.ts'
import { Failure, UsageFailure } from '../errors.ts'
import type { View } from '../output/view.ts'
import type { Run } from '../program.ts'
import { about } from './about.ts'
import { forEach } from './batch.ts'
import { deleteEach } from './delete-each.ts'
import { list, listing } from './listing.ts'
import { sendToSession } from './send.ts'

const view: View = {
  columns: [
    { field: 'id', isWhole: true },
    { field: 'filename' },
    { field: 'type' },
    { field: 'filetype', isDetail: true },
    { field: 'filesize', kind: 'bytes' },
    { field: 'status' },
    { field: 'usedByReaderInstances.name', label: 'used by' },
    { field: 'createdAtIso', kind: 'date', isWhole: true, isMinor: true },
  ],
  fields: () => fieldsOf(Asset),
  empty: 'There are no assets. Upload a font: pubctl assets upload font.woff2',
}

const uploadView: View = {
  columns: [
    { field: 'file' },
    { field: 'type' },
    { field: 'bytes', kind: 'bytes' },
    { field: 'id', isWhole: true },
    { field: 'outcome' },
  ],
  fields: () => new Set(['file', 'type', 'bytes', 'id', 'outcome']),
  empty: '',
}

export function register(group: Command, run: Run): void {
  about(listing(group.command('list').description(assets.list.summary)), {
    examples: ['assets list'],
  }).action(run(async (context, paging) => await list(context, view, assets.list, {}, paging)))

  about(group.command('upload <file...>').description(assets.create.summary), {
    examples: ['assets upload Lora-Regular.woff2 Lora-Bold.woff2'],
    changes: true,
  })
    .option('--type <type>', 'what the files are, in the words of the service', 'font')
    .action(
      run(async (context, files, { type }) => {
        await context.check(uploadView)
        const sizes = new Map<string, number>()
        for (const file of files) sizes.set(file, await sizeOf(file))
        await forEach(
          context,
          uploadView,
          files,
          async file => await uploadAsset(context, file, sizes.get(file) ?? 0, type),
        )
      }),
    )

  about(group.command('rename <id> <filename>').description(assets.rename.summary), {
    examples: ['assets rename as_123 Lora-Italic.woff2'],
    changes: true,
  }).action(
    run(async (context, id, filename) => {
      await context.check(view)
      const reply = await context.change(assets.rename, { id, filename })
      if (reply) await context.item(view, reply.item)
    }),
  )

  about(group.command('delete <id...>').description(assets.delete.summary), {
    examples: ['assets delete as_123 --yes'],
    changes: true,
    asks: true,
  }).action(
    run(async (context, ids) => {
      const nameOf = async (id: string) =>
        recordsIn(await context.call(assets.list, {})).find(asset => asset.id === id)?.filename ?? undefined
      await deleteEach(context, ids, { noun: 'asset', endpoint: assets.delete, view, nameOf })
    }),
  )
}

async function uploadAsset(context: Context, file: string, bytes: number, type: string) {
  const reply = await context.change(assets.create, { assets: [{ type, filename: basename(file) }] })
  if (!reply) {
    return context.plan({ method: 'PUT', url: '(the upload URL in the answer)', body: { file, bytes } })
  }
  const { readTarget } = await import('../uploads/session.ts')
  const descriptor = Array.isArray(reply.result) ? reply.result[0] : undefined
  try {
    await sendToSession(context, readTarget(descriptor), file, bytes)
  } catch (error) {
    throw error instanceof Failure ? await notSent(context, file, descriptor, error) : error
  }
  return { file, type, bytes, id: descriptor?.id ?? null, outcome: 'uploaded' }
}

/** The failure of an asset that was created and did not get its file: which one it is, and how to send it after all. */
async function notSent(
  context: Context,
  file: string,
  descriptor: { id?: string | null | undefined } | undefined,
  failure: Failure,
): Promise<Failure> {
  const { code, exitCode, status, requestId, hint } = failure
  const id = descriptor?.id
  if (!id || failure instanceof UsageFailure || code === 'bad_session') return failure
  const { keepUnsentAsset } = await import('../uploads/unsent-asset.ts')
  const session = keepUnsentAsset(context.places.dataDir, descriptor, context.world.clock.now())
  return new Failure(`the asset ${id} was created, and ${file} was not sent: ${failure.message}`, {
    ...{ code, exitCode, requestId, cause: failure },
    ...(status === undefined ? {} : { status }),
    hint: `${hint ? `${hint} ` : ''}To send it, within the life of its session: pubctl uploads put ${file} --session ${session}`,
  })
}

async function sizeOf(file: string): Promise<number> {
  const { stat } = await import('../system/files.ts')
  const found = await stat(file).catch(async error => {
    throw (await import('../books/file.ts')).unreadable(file, error)
  })
  if (!found.isFile()) throw new UsageFailure(`${file} is not a file`, { code: 'file_unreadable' })
  return found.size
}
