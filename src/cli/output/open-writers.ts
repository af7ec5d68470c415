import type { World } from '../../system/world.ts'
import { opensLinks } from './links.ts'
import { hideKnownSecrets, hideSecrets, rememberKey } from './secrets.ts'
import { createWriter, speaksUnicode, type Writer, wantsColour } from './writer.ts'

/**
 * The writers of stdout and stderr. Both hide known secrets. stderr also hides what looks like a secret. stdout does not,
 * because it prints what the user asked for, such as an upload session with its presigned URL.
 */
export function openWriters(
  world: World,
  { color = 'auto' }: { readonly color?: 'auto' | 'always' | 'never' },
): { out: Writer; err: Writer } {
  const { stdout, stderr, env, platform } = world
  // Before anything asks for it: it can stand in a file that a message quotes.
  if (env['PUBCTL_API_KEY']) rememberKey(world, env['PUBCTL_API_KEY'])
  const hasColour = (stream: World['stdout']) => wantsColour(color, env, stream.isTTY === true)
  return {
    out: createWriter(stdout, hasColour(stdout), {
      hide: hideKnownSecrets(world),
      isUnicode: speaksUnicode(env, platform),
      hasLinks: opensLinks(env, stdout.isTTY === true),
    }),
    err: createWriter(stderr, hasColour(stderr), { hide: hideSecrets(world), mayFail: true }),
  }
}
