import { basename } from 'node:path'
import { type CachedItem, cacheKey, openCompletionCache } from '../cli/completion-cache.ts'
import type { Context } from '../cli/context.ts'
import { neutraliseLine } from '../cli/output/neutralise.ts'
import { openWriters } from '../cli/output/open-writers.ts'
import { directoriesOf } from '../config/paths.ts'
import { sandboxName } from '../config/profile.ts'
import { openProfiles } from '../config/profiles.ts'
import { resolveSettings } from '../config/settings.ts'
import type { World } from '../system/world.ts'

/**
 * The hidden verb that the completion scripts call: `pubctl __complete publications <the words of the line>`. It prints a
 * line for each candidate: the word, a tab and a description. It only reads local files, so it never waits for the
 * network, and it ignores all failures.
 */
export async function complete([kind = '', ...words]: readonly string[], world: World): Promise<void> {
  try {
    const typed = new Set(words.slice(0, -1))
    const lines = (await candidates(kind, words, world))
      .filter(([text]) => isPlainWord(text) && !typed.has(text))
      .map(([text, description]) => `${text}\t${neutraliseLine(description)}\n`)
    await openWriters(world, { color: 'never' }).out.escaped(lines.join(''))
  } catch {
    // No completions.
  }
}

/**
 * Whether a word has no special meaning in any shell. Other ids are not offered, because a service could choose them such
 * that completing them and pressing Enter runs a command.
 */
const isPlainWord = (word: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@+-]*=?$/u.test(word)

async function candidates(kind: string, words: readonly string[], world: World): Promise<[string, string][]> {
  const directories = directoriesOf(world)
  const profiles = openProfiles(directories.configDir)
  if (kind === 'profiles') {
    const saved = (await profiles.list()).map(({ name, profile }): [string, string] => [
      name,
      profile.baseUrl,
    ])
    return [...saved, [sandboxName, 'the service on this machine']]
  }
  if (kind === 'uploads') return await uploads({ directories, world }, words)
  const flags = {
    profile: given(words, '--profile', '-p'),
    baseUrl: given(words, '--base-url'),
    // The file is not read. It only matters that a key is given.
    apiKey: given(words, '--api-key-file') === undefined ? undefined : 'unread',
  }
  const settings = await resolveSettings({ flags, env: world.env, profiles })
  const cache = openCompletionCache(
    directories.cacheDir,
    cacheKey(settings, directories.dataDir),
    world.clock.now,
  )
  if (kind === 'metadata') return cache.recent('metadata-keys').map(({ id, title }) => [`${title}=`, id])
  const matches = ({ of }: CachedItem) => kind !== 'editions' || (of !== undefined && words.includes(of))
  return cache
    .recent(kind)
    .filter(matches)
    .map(({ id, title }) => [id, title])
}

/** The uploads in the journal. Finished ones are only offered for `uploads forget`. */
async function uploads(
  context: Pick<Context, 'directories' | 'world'>,
  words: readonly string[],
): Promise<[string, string][]> {
  const { readJournal } = await import('../uploads/batch/journal.ts')
  const journal = await readJournal(context)
  try {
    const entries = journal.list({ all: words.includes('forget') })
    return entries.map(({ uploadRequestId, file }) => [uploadRequestId, basename(file)])
  } finally {
    journal.close()
  }
}

/** The last value of an option in the line: `--profile work`, `--profile=work`, `-p work` or `-pwork`. */
function given(words: readonly string[], long: string, short = long): string | undefined {
  let value: string | undefined
  for (const [index, word] of words.slice(0, -1).entries()) {
    if (word === '--') break
    if (word === long || word === short) value = words[index + 1]
    else if (word.startsWith(`${long}=`)) value = word.slice(long.length + 1)
    else if (short !== long && word.startsWith(short) && !word.startsWith('--'))
      value = word.slice(short.length)
  }
  return value
}
