import type { users } from '../service/contract/users.ts'
import type { Handlers } from './call.ts'
import { deleteRecord, recordsOf } from './store/records.ts'
import { searchText } from './store/search-text.ts'
import type { UserRecord } from './store/users.ts'

export const userHandlers: Handlers<typeof users> = {
  list: ({ searchTerm = '' }, { db }) => ({
    items: recordsOf<UserRecord>(db, 'users').filter(({ email, firstName, lastName }) =>
      searchText(`${firstName ?? ''} ${lastName ?? ''} ${email}`).includes(searchText(searchTerm)),
    ),
  }),
  // The user's keys are kept, but no longer work.
  deleteMe: (_, { db, caller }) => {
    deleteRecord(db, 'users', caller.user.id)
    return { result: { success: true, error: '' } }
  },
}
