// A module of its own, so that conf is loaded only when a profile is saved.
import Conf from 'conf'
import { checkWritable } from '../system/write-file.ts'
import { configFailure, configPath, parseConfig, type Stored } from './config-file.ts'

/** Replaces config.json in a folder, in one go and for its owner alone. */
export function writeConfig(folder: string, stored: Stored): void {
  try {
    // conf writes a draft and renames it as well, but would follow a link.
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
