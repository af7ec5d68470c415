import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import { files, type Things } from './every-command.ts'
import { machine, type Result, temporaryFolder } from './pubctl.ts'

/** Gives a home, by default one of its own, a sandbox that holds one of everything, and tells the ids of it. */
export async function seededMachine(home = temporaryFolder()): Promise<{ home: string; things: Things }> {
  return { home, things: await furnish(home, machine({}, home).sandbox) }
}

/** Sees to it that the service behind `run` holds one of everything, and gives the ids. */
export async function furnish(
  home: string,
  run: (args: readonly string[]) => Promise<Result>,
): Promise<Things> {
  const paths = await files(home)
  const json = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--json'])
    if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
    return JSON.parse(out)
  }
  const { publicationId, editionId } = await json('publications', 'upload', paths.book)
  writeFileSync(paths.session, JSON.stringify(await json('uploads', 'create', paths.book)))
  const second = join(home, 'second.epub')
  writeFileSync(second, await makeExampleEpub({ title: 'Not Finished' }))
  const { uploadRequestId } = await json('publications', 'upload', second, '--no-wait')
  await json('assets', 'upload', paths.font)
  const assets = await json('assets', 'list')
  const domains = await json('domains', 'list')
  const instances = await json('reader-instances', 'list')
  const [readerUser] = await json('reader-users', 'list')
  const keys = await json('apikeys', 'list')
  return {
    ...paths,
    publication: publicationId,
    edition: editionId,
    unfinished: uploadRequestId,
    asset: assets.find(
      (each: { usedByReaderInstances: unknown[] }) => each.usedByReaderInstances.length === 0,
    ).id,
    metadataKey: (await json('metadata-keys', 'create', 'series')).id,
    domain: domains.find((each: { isInUse: boolean }) => !each.isInUse).id,
    readerInstance: instances.find((each: { isDefault: boolean }) => !each.isDefault).id,
    readerUser: readerUser.id,
    apiKey: keys.find((each: { name: string }) => each.name === 'read-only').id,
  }
}

/** What of a home is copied: the data, and the key by which its journal is known as the user's own. */
const copied = ['.local/share/pubctl', '.config/pubctl']

/** Gives a home the sandbox of another one, so that what is done there does not show here. */
export function copySandbox(from: string, to: string): void {
  for (const path of copied) cpSync(join(from, path), join(to, path), { recursive: true })
}
