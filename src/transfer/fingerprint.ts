import { createHash } from 'node:crypto'
import { creationFor, type UploadPlan } from '../plan/upload-plan.ts'

/**
 * What makes two uploads the same. The id of the upload request, which is new each time, is no part of it, and neither
 * are the file's size and time: an upload that was broken off goes on with what the file has become.
 */
export function fingerprintOf(plan: UploadPlan, editionOf: string | null): string {
  const { file, coverWish } = plan
  const { uploadRequestId: _, ...said } = creationFor(plan, editionOf)
  return createHash('sha256')
    .update(JSON.stringify([file, coverWish, editionOf, said]))
    .digest('hex')
}
