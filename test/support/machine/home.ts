import { join } from 'node:path'

/** The variables by which a process finds its home folder, on each system. */
export const homeVariables = (home: string): Record<string, string> & { HOME: string } => ({
  HOME: home,
  USERPROFILE: home,
  ...folderVariables(home),
})

/** Has pubctl keep its files below a home folder where Unix has them, so that tests find them by one name on each system. */
export const folderVariables = (home: string): Record<string, string> =>
  process.platform === 'win32'
    ? {
        PUBCTL_CONFIG_DIR: join(home, '.config/pubctl'),
        PUBCTL_DATA_DIR: join(home, '.local/share/pubctl'),
        PUBCTL_CACHE_DIR: join(home, '.cache/pubctl'),
      }
    : {}
