import { creationFor, type UploadPlan } from '../../plan/upload-plan.ts'
import { serialise } from '../../system/exact-json.ts'
import { sha256 } from '../../system/sha256.ts'

/**
 * Identifies an upload across runs. It does not include the upload request id, which is new each time, nor the file's size
 * and time, because an interrupted upload continues with the changed file.
 */
export function fingerprintOf(
  plan: Pick<UploadPlan, 'file' | 'cover' | 'creation' | 'overrides'>,
  editionOf: string | null,
): string {
  const { file, cover } = plan
  const { uploadRequestId: _, ...said } = creationFor(plan, editionOf)
  return sha256(serialise([file, cover, editionOf, said]))
}
