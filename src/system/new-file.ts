import { type FileHandle, open } from 'node:fs/promises'

/** Opens a new file, for its owner alone, that is written piece by piece; throws `EEXIST` where anything has its name. */
export const openNewFile = async (path: string): Promise<FileHandle> => await open(path, 'wx', 0o600)
