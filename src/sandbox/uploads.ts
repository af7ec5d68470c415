import type { uploads } from '../service/contract/uploads.ts'
import type { Handlers } from './call.ts'
import { claimUpload, storedSession, withNewObject } from './store/upload-requests.ts'

export const uploadHandlers: Handlers<typeof uploads> = {
  create: (input, { db, objects, variants }) => {
    const upload = db.write(() => {
      const claimed = claimUpload(db, input, input.publicationType, ['publicationType'])
      return variants.includes('new-object-keys') ? withNewObject(db, claimed) : claimed
    })
    return { result: { uploadRequestId: input.uploadRequestId, ...storedSession(objects, upload, input) } }
  },
}
