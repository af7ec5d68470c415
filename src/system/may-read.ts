/** Tells of an absolute path that a sheet or a plan names whether it may be read. */
export type MayRead = (path: string) => boolean
