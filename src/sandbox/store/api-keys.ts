import type { ApiKey } from '../../contract/apikeys.ts'
import type { Checked } from '../../contract/endpoint.ts'
import { sha256 } from '../../system/sha256.ts'

export type ApiKeyRecord = Checked<typeof ApiKey> & { id: string; userId: string; scopes: string[] }

export const hashOfKey = (key: string): string => sha256(key)
