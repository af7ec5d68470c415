import { createHash } from 'node:crypto'
import type { ApiKey } from '../../contract/apikeys.ts'
import type { Checked } from '../../contract/endpoint.ts'

export type ApiKeyRecord = Checked<typeof ApiKey> & { id: string; userId: string; scopes: string[] }

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')
