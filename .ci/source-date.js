// When the source was last changed, which is what files are dated that are made of it, so that whoever makes them again gets the
// same bytes. What an importing script starts gets it as well (https://reproducible-builds.org/specs/source-date-epoch/).
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
// An archive of the source has no git; its files are dated as the commit.
process.env['SOURCE_DATE_EPOCH'] ||=
  stdout?.trim() || String(Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000))

/** In seconds. */
export const sourceEpoch = Number(process.env['SOURCE_DATE_EPOCH'])
export const sourceDate = new Date(sourceEpoch * 1000)
