import { Failure, type FailureDetail, isFatal } from '../system/errors.ts'
import { joinPages } from '../system/join-pages.ts'
import { rest } from '../system/rest.ts'
import type { Context } from './context.ts'
import { partFailed } from './for-each.ts'
import type { View } from './output/view.ts'

/**
 * Reads files one after the other and prints what was read as it arrives, with the progress at a terminal; without a view
 * nothing of a list is printed. One file that cannot be read is the command's failure; `read` gives what is shown of a file,
 * one item or several. Of a list, those that cannot be read are returned and the others are printed, together with what
 * `rowOfUnread` makes of those that cannot.
 */
export async function showEach(
  context: Context,
  view: View | undefined,
  { files, isList }: { readonly files: readonly string[]; readonly isList: boolean },
  read: (file: string) => Promise<object | readonly object[]>,
  rowOfUnread?: (file: string) => object,
): Promise<{ unread: readonly FailureDetail[] }> {
  const [only] = files
  if (!isList && only !== undefined && view !== undefined) {
    const found = await read(only)
    if (Array.isArray(found)) await context.list(view, [found])
    else await context.item(view, found)
    return { unread: [] }
  }
  const failures: { id: string; failure: Failure }[] = []
  // A log would only grow by a line for each file.
  const progress = context.err.isTerminal ? await context.progress() : undefined
  let line = ''
  const stopWaiting =
    progress && context.waiting.showIn(text => progress.state([line, text].filter(Boolean).join('  ')))
  async function* pages(): AsyncGenerator<object[]> {
    try {
      for (const [index, file] of files.entries()) {
        await rest(context.world.signal)
        line = `${index + 1} of ${files.length}  ${file}`
        progress?.state(line)
        try {
          yield [await read(file)].flat()
        } catch (error) {
          if (!(error instanceof Failure) || isFatal(error)) throw error
          failures.push({ id: file, failure: error })
          if (rowOfUnread) yield [rowOfUnread(file)]
        }
      }
    } finally {
      stopWaiting?.()
      progress?.stop()
    }
  }
  const unreadOf = () => partFailed(failures, files.length).details ?? []
  if (view === undefined) {
    for await (const _ of pages());
    return { unread: unreadOf() }
  }
  // The widths of a table's columns depend on all its rows.
  const isTable = context.format === 'table' && context.out.isTerminal
  await context.list(view, isTable ? [await joinPages(pages())] : pages())
  return { unread: unreadOf() }
}
