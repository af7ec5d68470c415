import { basename } from 'node:path'
import { type CachedItem, cacheKey, openCompletionCache } from '../config/completion-cache.ts'
import { directoriesOf } from '../config/paths.ts'
import { sandboxName } from '../config/profile.ts'
import { openProfiles } from '../config/profiles.ts'
import { resolveSettings } from '../config/settings.ts'
import type { Context } from '../context.ts'
import { neutraliseLine } from '../output/neutralise.ts'
import { createWriter } from '../output/writer.ts'
import type { World } from '../world.ts'

/**
 * The hidden verb that the completion scripts call: `pubctl __complete publications <the words of the line>`. It prints
 * a line for each candidate, with what it stands for behind a tab. It looks at files of this machine alone, so the
 * person never waits for the network, and whatever goes wrong, it says nothing.
 */
export async function complete([kind = '', ...words]: readonly string[], world: World): Promise<void> {
  try {
    const typed = new Set(words.slice(0, -1))
    const lines = (await candidates(kind, words, world))
      .filter(([text]) => isPlainWord(text) && !typed.has(text))
      .map(([text, description]) => `${text}\t${neutraliseLine(description)}\n`)
    await createWriter(world.stdout, false).escaped(lines.join(''))
  } catch {
    // Nothing to offer.
  }
}

/**
 * Whether a word means nothing but itself in every shell, so that a person who completes it and presses Enter runs
 * nothing. An id that a service made of anything else is not offered.
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
    // Which key it is does not matter here, only that one is given: the file is not read.
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

/** The uploads in the journal; those that are finished are of use only to be forgotten. */
async function uploads(
  context: Pick<Context, 'directories' | 'world'>,
  words: readonly string[],
): Promise<[string, string][]> {
  const { readJournal } = await import('./upload-tools.ts')
  const journal = await readJournal(context)
  try {
    const entries = journal.list({ all: words.includes('forget') })
    return entries.map(({ uploadRequestId, file }) => [uploadRequestId, basename(file)])
  } finally {
    journal.close()
  }
}

/** The last value that the line gives an option: `--profile work`, `--profile=work`, `-p work` or `-pwork`. */
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
