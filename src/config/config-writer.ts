// A separate module, so that conf is only loaded when a profile is saved.
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
