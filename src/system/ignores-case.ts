/** Whether names of files that differ in the case of their letters alone are one name, as Windows and macOS are set up. */
export const ignoresCase = (platform: NodeJS.Platform): boolean =>
  platform === 'win32' || platform === 'darwin'
