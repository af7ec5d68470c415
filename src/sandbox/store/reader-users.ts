import type { Checked } from '../../service/contract/endpoint.ts'
import type { ReaderUser } from '../../service/contract/reader-users.ts'

export type ReaderUserRecord = Checked<typeof ReaderUser> & { id: string }
