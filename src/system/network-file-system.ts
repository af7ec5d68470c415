import { statfs } from 'node:fs'
import { promisify } from 'node:util'

/**
 * File systems whose files other machines change without this one being told, by the type that statfs(2) gives on Linux.
 * The numbers are those of linux/magic.h and of the statfs(2) manual; FUSE is among them because sshfs, s3fs and rclone are.
 */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'VirtualBox shared folder'],
])

/** The name of a type of statfs if it is that of a network file system. */
export const networkType = (type: number): string | undefined => networkTypes.get(type >>> 0)

/**
 * The network file system that a folder is on; undefined for a local one, and where it cannot be told: elsewhere than on
 * Linux the types are other numbers.
 */
export async function networkFileSystem(
  folder: string,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  if (platform !== 'linux') return undefined
  const found = await promisify(statfs)(folder).catch(() => undefined)
  return found && networkType(found.type)
}
