import Libsql from 'libsql'
import { databasePath } from '../../../src/sandbox/store/database.ts'

/** Sets how many publications the owner of a sandbox's keys may have, behind the service's back. */
export function limitPublications(dataDir: string, publicationLimit: number): void {
  const db = new Libsql(databasePath(dataDir))
  const fields = JSON.stringify({ billing: { publicationLimit } })
  db.prepare("UPDATE users SET doc = json_patch(doc, ?) WHERE id = 'user_ada'").run([fields])
  db.close()
}
