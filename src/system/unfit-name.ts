import { win32 } from 'node:path'

/**
 * Whether Windows keeps no files of the name that a path ends in, such as `NUL` or `aux.csv`, which are devices, and what ends in a
 * dot or a blank. Node.js makes such files there, which other programs can neither open nor delete.
 */
export const isUnfitName = (path: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'win32' && /^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\..*)?$|[. ]$/i.test(win32.basename(path))
