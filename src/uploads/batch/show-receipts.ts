import type { Context } from '../../cli/context.ts'
import { isNamedIn } from '../../cli/output/named.ts'
import { neutraliseLine } from '../../cli/output/neutralise.ts'
import { hideInside } from '../../cli/output/secrets.ts'
import { withShortLists } from '../../cli/output/short-lists.ts'
import { inPages, type View } from '../../cli/output/view.ts'
import { widthOf } from '../../cli/output/width.ts'
import { wrap } from '../../cli/output/wrap.ts'
import { endOf, isFailed, type Receipt, receiptName } from '../receipt.ts'

/** Whether people read the receipts, as a table or card whose columns nobody chose. */
const isForPeople = ({ out, options, format }: Context): boolean =>
  out.isTerminal && format === 'table' && !options.fields && options.query === undefined

/** Shows the receipt of one book. */
export const showReceipt = (context: Context, view: View, receipt: Receipt): Promise<void> =>
  context.item(view, shownOf(context, receipt))

/**
 * Shows the receipts of a batch. A terminal shows what failed in sentences, because a reason does not fit into a column, and
 * the others only if `--verbose` asks for them. Returns whether the reasons stand on the screen.
 */
export async function showReceipts(
  context: Context,
  view: View,
  receipts: readonly Receipt[],
): Promise<boolean> {
  const { out, options } = context
  const failed = receipts.filter(isFailed)
  if (!isForPeople(context)) {
    await context.list(view, pagesOf(context, receipts))
    return false
  }
  if (failed.length === 0) {
    await context.list(withoutEmpty(view, receipts), pagesOf(context, receipts))
    return false
  }
  for (const receipt of failed) await out.styled(`${sentencesOf(context, receipt)}\n`)
  const others = receipts.filter(receipt => !isFailed(receipt))
  if (options.verbose && others.length > 0)
    await context.list(withoutEmpty(view, others), pagesOf(context, others))
  return true
}

/** The columns of what went well, without the reasons where no receipt has one. */
const withoutEmpty = (view: View, receipts: readonly Receipt[]): View => ({
  ...view,
  columns: view.columns.filter(
    ({ field }) => field !== 'error.message' && (field !== 'why' || receipts.some(({ why }) => why !== null)),
  ),
})

/** What became of a book, and below it why and what to do, in sentences that do not name it again. */
function sentencesOf({ out }: Context, receipt: Receipt): string {
  const { title, error, why } = receipt
  const name = neutraliseLine(out.hide(receiptName(receipt)))
  const about = (text: string): string =>
    withShortLists(sentence(withoutName(neutraliseLine(out.hide(text)), name)))
  const head = `${endOf(receipt)}: ${title === null ? name : `${neutraliseLine(out.hide(title))} (${name})`}`
  const [first = '', ...more] = wrap(head, out.width, '  ', widthOf).split('\n')
  const end = endOf(receipt).length
  const lines = [out.paint('red', first.slice(0, end)) + first.slice(end), ...more]
  const add = (text: string, indent: string) =>
    void lines.push(wrap(indent + text, out.width, indent, widthOf))
  if (error?.code === 'interrupted') return lines.join('\n')
  add(about(error?.message ?? why ?? 'No reason is known'), '  ')
  for (const { message, path, hint } of error?.details ?? []) {
    const place = neutraliseLine(path?.join('.') ?? '')
    add(`${place && !isNamedIn(message, place) ? `${place}: ` : ''}${about(message)}`, '    ')
    if (hint !== undefined) add(about(hint), '    ')
  }
  if (error?.hint !== undefined) add(about(error.hint), '  ')
  return lines.join('\n')
}

/** A message that says "it" where it begins with the name of what it is about. */
const withoutName = (text: string, name: string): string =>
  text.startsWith(`${name} `)
    ? `it ${text.slice(name.length + 1)}`
    : text.startsWith(`${name}: `)
      ? text.slice(name.length + 2)
      : text

/** A text with a capital letter and a full stop, unless it ends with a command, which people copy. */
function sentence(text: string): string {
  const last = text.lastIndexOf(': pubctl ')
  const endsWithCommand = last !== -1 && !/[.;]/.test(text.slice(last))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${endsWithCommand || /[.!?:]$/.test(text) ? '' : '.'}`
}

/** The receipts in pages of what is shown of them. */
const pagesOf = (context: Context, receipts: readonly Receipt[]) =>
  inPages(receipts, receipt => shownOf(context, receipt))

/** What is shown of a receipt. People read its end in one word, as in the sum of a batch; scripts get its outcome. */
function shownOf(context: Context, receipt: Receipt) {
  const shown = withoutSecrets(context, receipt)
  return isForPeople(context) ? { ...shown, outcome: endOf(shown) } : shown
}

/** Receipts are stored and forwarded, so secrets are removed; the file keeps the name that the user gave. */
export const withoutSecrets = ({ err }: Context, receipt: Receipt): Receipt => ({
  ...hideInside(receipt, err.hide),
  file: receipt.file,
})
