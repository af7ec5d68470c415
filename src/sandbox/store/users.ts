import type { Checked } from '../../service/contract/endpoint.ts'
import type { User } from '../../service/contract/user.ts'

export type UserRecord = Checked<typeof User>
