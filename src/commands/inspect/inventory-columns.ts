import { basename } from 'node:path/posix'
import type { Inventory, SomeFiles } from '../../books/inventory.ts'
import { humanBytes } from '../../cli/output/cell.ts'
import type { Column } from '../../cli/output/view.ts'

/** The lines of a card that say what is in a book. */
export const inventoryColumns: readonly Column[] = [
  line('spine', 'reading order', (spine: number) => counted(spine, 'item', 'items')),
  line('contents', 'contents', (contents: number) => counted(contents, 'entry', 'entries')),
  {
    ...{ field: 'inventory', label: 'words', isDetail: true },
    textOf: value => {
      const { words, isPartial } = value as Inventory
      return `${words.toLocaleString('en')}${isPartial ? ', and not all pages were read' : ''}`
    },
  },
  line('images', 'images', ({ files, shown, withoutAlternative }: Inventory['images']) =>
    files + shown === 0
      ? 'none'
      : [
          counted(files, 'file', 'files'),
          `shown ${counted(shown, 'time', 'times')}`,
          ...(withoutAlternative === 0
            ? []
            : [`${withoutAlternative.toLocaleString('en')} without alternative text`]),
        ].join(', '),
  ),
  line('fonts', 'fonts', someNames),
  line(
    'largest',
    'largest files',
    ({ path, bytes }: Inventory['largest'][number]) => `${basename(path)} ${humanBytes(bytes)}`,
  ),
  line('unused', 'unused files', someNames),
]

/** A line of the card; `textOf` is given the value, or each of a list. */
function line<T>(field: keyof Inventory, label: string, textOf: (value: T) => string): Column {
  return { field: `inventory.${field}`, label, isDetail: true, textOf: value => textOf(value as T) }
}

/** How many names stand on a card. */
const named = 3

function someNames({ count, files }: SomeFiles): string {
  if (count === 0) return 'none'
  const names = files.slice(0, named).map(path => basename(path))
  return `${count.toLocaleString('en')}: ${names.join(', ')}${count > names.length ? ' …' : ''}`
}

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`
