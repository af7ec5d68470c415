import { randomBytes } from 'node:crypto'
import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../system/database.ts'
import { rename } from '../../system/files.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { writeNewFile } from '../../system/write-file.ts'
import { usePath } from './data-error.ts'

export interface Presigner {
  /** A URL that takes one object by PUT for `expiresIn` seconds, and the headers that must come with it. */
  presign(object: { objectKey: string; contentType: string; expiresIn: number }): {
    uploadUrl: string
    expiresIn: number
    requiredHeaders: Record<string, string>
  }
}

/** An object whose bytes have all arrived; the file at `path` is removed once `store` has returned. */
export interface StoredObject {
  objectKey: string
  path: string
  bytes: number
  /** In hex. */
  md5: string
  contentType: string
}

type ObjectKind = 'book' | 'cover' | 'asset'

/** An object that may be sent, or was sent: `file`, `bytes` and `md5` are null until then. */
export interface ObjectRow {
  key: string
  kind: ObjectKind
  /** The upload request of a book or a cover, or the asset. */
  owner: string
  file: string | null
  bytes: number | null
  md5: string | null
}

/** The files of a sandbox, each under a new name, so that a file that is being read is never written to. */
export interface Objects {
  /** Where and how to send an object. */
  uploadSession(key: string, contentType: string): ReturnType<Presigner['presign']> & { objectKey: string }
  pathOf(file: string): string
  /** Moves a file into the store; returns its name there. */
  moveIn(path: string): Promise<string>
  write(bytes: Uint8Array): Promise<string>
  /** Deletes files in the background. Call it once the transaction that removes their objects has been committed. */
  deleteFiles(files: (string | null)[]): void
}

export const objectsFolder = (dataDir: string): string => join(dataDir, 'objects')

export function createObjects(dataDir: string, presigner: Presigner, expiresIn: number): Objects {
  const folder = objectsFolder(dataDir)
  usePath(folder, makeFolder)
  const pathOf = (file: string): string => join(folder, file)
  const newFile = (): string => randomBytes(16).toString('hex')
  return {
    pathOf,
    uploadSession: (objectKey, contentType) => ({
      objectKey,
      ...presigner.presign({ objectKey, contentType, expiresIn }),
    }),
    async moveIn(path) {
      const file = newFile()
      await rename(path, pathOf(file))
      return file
    },
    async write(bytes) {
      const file = newFile()
      writeNewFile(pathOf(file), bytes, { isPrivate: true })
      return file
    },
    deleteFiles(files) {
      for (const file of files) if (file !== null) void fs.rm(pathOf(file), { force: true }).catch(() => {})
    },
  }
}

export const newObjectKey = (folder: string): string => `${folder}/${randomBytes(16).toString('hex')}`

export const findObject = (db: Database, key: string): ObjectRow | undefined =>
  db.get<ObjectRow>('SELECT key, kind, owner, file, bytes, md5 FROM objects WHERE key = ?', key)

/** Adds an object whose file may be sent from now on. */
export const addObject = (
  db: Database,
  { key, kind, owner }: Pick<ObjectRow, 'key' | 'kind' | 'owner'>,
): void => void db.run('INSERT INTO objects (key, kind, owner) VALUES (?, ?, ?)', key, kind, owner)

/** Deletes all objects of an owner; returns their files, which are to be deleted. */
export function deleteObjects(db: Database, owner: string): (string | null)[] {
  const files = db.all<{ file: string | null }>('SELECT file FROM objects WHERE owner = ?', owner)
  db.run('DELETE FROM objects WHERE owner = ?', owner)
  return files.map(({ file }) => file)
}
