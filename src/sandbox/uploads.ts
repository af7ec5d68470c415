import type { uploads } from '../service/contract/uploads.ts'
import type { Handlers } from './call.ts'
import { claimUpload, sessionFor } from './store/upload-requests.ts'

export const uploadHandlers: Handlers<typeof uploads> = {
  create: (input, { db, objects }) => {
    const upload = db.write(() => claimUpload(db, input, input.publicationType, ['publicationType']))
    return { result: { uploadRequestId: input.uploadRequestId, ...sessionFor(objects, upload, input) } }
  },
}
