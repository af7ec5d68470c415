import type { Checked } from '../../contract/endpoint.ts'
import type { ReaderUser } from '../../contract/reader-users.ts'

export type ReaderUserRecord = Checked<typeof ReaderUser> & { id: string }
