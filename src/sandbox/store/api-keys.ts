import type { ApiKey } from '../../service/contract/apikeys.ts'
import type { Checked } from '../../service/contract/endpoint.ts'
import { sha256 } from '../../system/sha256.ts'

export type ApiKeyRecord = Checked<typeof ApiKey> & { id: string; userId: string; scopes: string[] }

export const hashOfKey = (key: string): string => sha256(key)
