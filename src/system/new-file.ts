import { type FileHandle, open } from 'node:fs/promises'

/** Opens a new file for its owner alone, to be written in parts. Throws `EEXIST` if the name exists. */
export const openNewFile = async (path: string): Promise<FileHandle> => await open(path, 'wx', 0o600)
