import { type CheckedBy, checkedByText } from '../../system/checked-by.ts'
import type { Column } from './view.ts'

/** Who else has checked a book. */
export const checkedByColumn: Column = {
  ...{ field: 'checkedBy', label: 'checked by', isDetail: true },
  textOf: by => checkedByText(by as CheckedBy),
}
