import type { SandboxState } from '../call.ts'
import type { AssetRecord } from '../store/assets.ts'
import { findObject, type ObjectRow, type StoredObject } from '../store/objects.ts'
import { findEdition, hasFinalStatus, saveEdition } from '../store/publications.ts'
import { findRecord, saveRecord } from '../store/records.ts'
import { uploadOfRequest, useObject } from '../store/upload-requests.ts'
import { enqueue } from './jobs.ts'

/**
 * Records a file that was sent by PUT, before the PUT is answered. A file for something that has been deleted, or has
 * its final status, is accepted as S3 would, and deleted.
 */
export async function objectCreated(
  sandbox: SandboxState,
  { objectKey, path, bytes, md5 }: StoredObject,
): Promise<void> {
  const { db, objects } = sandbox
  const file = await objects.moveIn(path)
  let unneeded: string | null = file
  try {
    unneeded = db.write(() => {
      const object = findObject(db, objectKey)
      if (!object || !acceptFile(sandbox, object, bytes)) return file
      db.run('UPDATE objects SET file = ?, bytes = ?, md5 = ? WHERE key = ?', file, bytes, md5, objectKey)
      return object.file
    })
  } finally {
    objects.deleteFiles([unneeded])
  }
}

/** Updates the owner of an object that was sent; false when it takes no file any more. */
function acceptFile(sandbox: SandboxState, { key, kind, owner }: ObjectRow, bytes: number): boolean {
  const { db } = sandbox
  if (kind === 'asset') {
    const asset = findRecord<AssetRecord>(db, 'assets', owner)
    if (asset) saveRecord(db, 'assets', { ...asset, status: 'available', filesize: bytes })
    return asset !== undefined
  }
  const upload = uploadOfRequest(db, owner)
  if (!upload) return false
  const found = upload.edition_id === null ? undefined : findEdition(db, upload.edition_id)
  // The object of a book that has been examined stays its object.
  if (kind === 'book' && found && hasFinalStatus(found.edition)) return false
  if (kind === 'book' && key !== upload.object_key) useObject(db, upload, key)
  // Nothing has been created for the upload so far; the file waits.
  if (!found) return true
  const { publicationId, edition } = found
  if (kind === 'cover') {
    saveEdition(db, publicationId, { ...edition, metadata: { ...edition.metadata, cover: key } })
    return true
  }
  enqueue(sandbox, edition.id)
  return true
}
