import { BrokenRecord } from './broken.ts'
import { type OnixElement, valueIn } from './element.ts'

/** Notification types of list 1. */
const notificationTypes = { whole: '03', partial: '04', deletion: '05' } as const

const ignored: Readonly<Record<string, string>> = {
  '01': 'it is an early notification (01) of a book to come',
  '02': 'it is an advance notification (02) of a book to come',
  '08': 'it is a notice of sale (08)',
  '09': 'it is a notice of acquisition (09)',
  '88': 'it is a test (88)',
  '89': 'it is a test (89)',
}

interface Notification {
  readonly isPartial: boolean
  /** Why the product is withdrawn; null if it is not. */
  readonly withdrawn: string | null
  /** Why nothing is to be done about it; null if something is. */
  readonly ignored: string | null
}

/** What the record is sent for. Throws BrokenRecord if it does not say so. */
export function notificationOf(product: OnixElement): Notification {
  const type = valueIn(product, 'NotificationType')
  if (type === '') throw new BrokenRecord('it has no notification type')
  const isMeant = Object.values<string>(notificationTypes).includes(type)
  return {
    isPartial: type === notificationTypes.partial,
    withdrawn: type === notificationTypes.deletion ? 'it was withdrawn' : null,
    ignored: isMeant
      ? null
      : (ignored[type] ?? `its notification type ${type.slice(0, 10)} is none of a whole book`),
  }
}
