import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Failure, UsageFailure } from '../system/errors.ts'
import type { MayRead } from '../system/may-read.ts'
import { readTree } from '../system/read-tree.ts'
import { realFolderOf } from '../system/real-folder.ts'
import { unreadable } from '../system/unreadable.ts'
import { isWithin, leadsOut } from '../system/within.ts'
import { quotedValue } from './check-input.ts'
import type { FileUse } from './schema.ts'

/** How much of a folder is looked through for links that lead out of it. */
const mostEntries = 100_000

/** The folder that agents may read files in, and make new ones. */
export interface RootFolder {
  /** Its real path. */
  readonly path: string
  /** The real path of a file that an agent names. Throws UsageFailure if it is elsewhere. */
  fileOf(path: string, use: FileUse): Promise<string>
  /** Whether a file is in it that another file names by its absolute path. */
  readonly mayRead: MayRead
}

/**
 * The folder that is named, or else the current one unless the home folder is in it: some programs start others there, and
 * nobody means all that is in it. Throws UsageFailure `file_unreadable` if there is no such folder.
 */
export function openRoot(folder: string | undefined, home: string): RootFolder {
  const root = realFolderOf(folder ?? '.', 'Name a folder with --root.')
  if (folder === undefined && isWithin(root, realHome(home))) return noFiles(root)
  return {
    path: root,
    async fileOf(path, use) {
      const named = resolve(root, path)
      // Said before the disk is asked, so that nobody learns what exists elsewhere.
      if (path === '' || path === '-' || !isWithin(root, named)) throw outside(path, root)
      return use === 'read' ? await existing(root, path, named) : fresh(root, path, named)
    },
    mayRead: path => isWithin(root, path) && !leadsOut(root, path),
  }
}

const noFiles = (path: string): RootFolder => ({
  path,
  async fileOf() {
    throw new UsageFailure('no folder is named in which agents may read files', {
      code: 'outside_root',
      hint: 'Whoever starts the server can name one: pubctl mcp --root <folder>',
    })
  },
  mayRead: () => false,
})

function realHome(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    return home
  }
}

/** The real path of a file or folder in the root folder; nothing in such a folder leads out of the root folder. */
async function existing(root: string, path: string, named: string): Promise<string> {
  const real = realPath(path, named)
  if (!isWithin(root, real)) throw outside(path, root)
  if (!statSync(real).isDirectory()) return real
  const entries = await readTree(real).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (entries.length > mostEntries)
    throw new UsageFailure(`the folder ${quotedValue(path)} has more than ${mostEntries} entries`, {
      code: 'bad_arguments',
      hint: 'Name one of its folders.',
    })
  const link = entries.find(
    entry => entry.isSymbolicLink() && leadsOut(root, join(entry.parentPath, entry.name)),
  )
  if (link) throw outside(join(path, relative(real, join(link.parentPath, link.name))), root)
  return real
}

/** The path of a file that does not exist yet. */
function fresh(root: string, path: string, named: string): string {
  const folder = realPath(dirname(path), dirname(named))
  if (!isWithin(root, folder) || named === root) throw outside(path, root)
  const target = join(folder, basename(named))
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new UsageFailure(`there is a file ${quotedValue(path)} already`, {
      code: 'file_exists',
      hint: 'Agents only make new files; choose another name.',
    })
  return target
}

function realPath(path: string, named: string): string {
  try {
    return realpathSync.native(named)
  } catch (error) {
    throw unreadable(quotedValue(path), error)
  }
}

const outside = (path: string, root: string): Failure =>
  new UsageFailure(`${quotedValue(path)} is not in the folder that may be read`, {
    code: 'outside_root',
    hint: `Only what is in ${root} may be read; whoever starts the server chooses it with --root.`,
  })
