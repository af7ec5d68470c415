import type { Checked } from '../../contract/endpoint.ts'
import type { User } from '../../contract/user.ts'

export type UserRecord = Checked<typeof User>
