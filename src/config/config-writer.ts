// A separate module, so that conf is only loaded when a profile is saved: to load it takes 11 ms, and to compile a schema for it
// 40 more, where a whole request takes 58. Reading is our own, too, because conf makes the folder when it reads, and reads by
// its path a file that is checked and read here while it is open.
import Conf from 'conf'
import { checkWritable } from '../system/write-file.ts'
import { configFailure, configPath, parseConfig, type Stored } from './config-file.ts'

/** Replaces config.json in a folder atomically, readable for its owner alone. */
export function writeConfig(folder: string, stored: Stored): void {
  try {
    // conf replaces the file atomically, but follows symbolic links.
    checkWritable(configPath(folder))
    const conf = new Conf<Stored>({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      deserialize: text => parseConfig(text, folder),
    })
    conf.store = stored
  } catch (error) {
    throw configFailure(folder, 'write', error)
  }
}
