import { type Command, Option } from '@commander-js/extra-typings'
import { parseAddress, refuseInsecure } from '../config/address.ts'
import { checkKey, withoutFinalNewline } from '../config/key-text.ts'
import { maskKey } from '../config/mask.ts'
import { checkProfileName, type Profile, sandboxName } from '../config/profile.ts'
import type { Context } from '../context.ts'
import { apikeys } from '../contract/apikeys.ts'
import { Failure, ServiceFailure, UsageFailure } from '../errors.ts'
import type { View } from '../output/view.ts'
import type { Run } from '../program.ts'
import { about } from './about.ts'
import { removeProfile, saveProfile } from './profile-save.ts'

const fields = [
  'name',
  'baseUrl',
  'isCurrent',
  'key',
  'keyCommand',
  'allowHttp',
  'multiValue',
  'keyStored',
] as const
const view: View = {
  columns: [
    { field: 'name', isWhole: true },
    { field: 'baseUrl' },
    { field: 'isCurrent' },
    { field: 'key', isWhole: true },
    { field: 'keyCommand', isDetail: true },
    { field: 'allowHttp', isDetail: true },
    { field: 'multiValue', isDetail: true },
    { field: 'keyStored', isWhole: true },
  ],
  fields: () => new Set(fields),
  empty: 'There are no profiles.',
}

interface SetupOptions {
  keyCommand?: string | undefined
  allowHttp?: true | undefined
  multiValue?: 'repeat' | 'comma' | undefined
  verify: boolean
}

export function register(group: Command, run: Run): void {
  about(
    group
      .command('setup [name]')
      .description('Set up a profile: asks for what is missing, and checks the key first'),
    {
      examples: [
        'profile setup',
        'profile setup --base-url https://api.example.com --api-key-file key',
        "profile setup work --key-command 'op read op://work/key'",
      ],
      asks: true,
    },
  )
    .option('--key-command <command>', 'a command that prints the key, in place of the key')
    .option('--allow-http', 'let the key travel over plain http to this address')
    .addOption(
      new Option('--multi-value <style>', 'how parameters with several values travel').choices([
        'repeat',
        'comma',
      ]),
    )
    .option('--no-verify', 'save without checking the key against the service')
    .action(run(async (context, name, options) => await setUp(context, name, options)))

  about(group.command('list').description('List the profiles'), {
    examples: ['profile list'],
    isLocal: true,
  }).action(
    run(async context => {
      await context.check(view)
      const saved = await context.profiles.list()
      const current = await context.profiles.current()
      const rows = saved.map(({ name, profile, isCurrent }) => shown(name, profile, isCurrent))
      await context.list(view, [[...rows, shownSandbox(current === sandboxName)]])
      await warnOfModes(context)
    }),
  )

  about(group.command('show [name]').description('Show a profile, with its key masked'), {
    examples: ['profile show', 'profile show work --json'],
    isLocal: true,
  }).action(
    run(async (context, wanted) => {
      await context.check(view)
      const current = await context.profiles.current()
      const name = wanted ?? context.options.profile ?? context.world.env['PUBCTL_PROFILE'] ?? current
      if (name === undefined) {
        throw new UsageFailure('there is no profile yet', {
          code: 'unknown_profile',
          hint: 'Set one up with: pubctl profile setup',
        })
      }
      const isCurrent = name === current
      const profile = name === sandboxName ? undefined : await context.profiles.get(name)
      await context.item(view, profile ? shown(name, profile, isCurrent) : shownSandbox(isCurrent))
      await warnOfModes(context)
    }),
  )

  about(group.command('use <name>').description('Make a profile the one that is used without --profile'), {
    examples: ['profile use work', 'profile use sandbox'],
    isLocal: true,
  }).action(
    run(async (context, name) => {
      if (context.options.dryRun) return
      await context.profiles.use(name)
      await context.note(`The profile "${name}" is used from now on.`)
    }),
  )

  about(group.command('remove <name>').description('Remove a profile and its key from this machine'), {
    examples: ['profile remove work --yes'],
    asks: true,
    isLocal: true,
  }).action(
    run(async (context, name) => {
      if (name !== sandboxName) await context.profiles.get(name)
      const { yes, dryRun } = context.options
      if (
        !yes &&
        !dryRun &&
        !(await context.ask.confirm(`Remove the profile "${name}" and its key?`, '--yes'))
      ) {
        throw new UsageFailure('nothing was removed', { code: 'not_confirmed' })
      }
      if (dryRun) return
      await removeProfile(context, name)
      await context.note(`The profile "${name}" is gone.`)
    }),
  )
}

async function setUp(context: Context, given: string | undefined, options: SetupOptions): Promise<void> {
  await context.check(view)
  const { ask, profiles } = context
  const name = given ?? context.options.profile ?? (ask.isPossible ? await askName(context) : 'default')
  checkProfileName(name)
  const baseUrl = parseAddress(
    context.options.baseUrl ??
      (await ask.text('What is the address of the service?', '--base-url', {
        check: text =>
          /^https?:\/\/./.test(text) && URL.canParse(text) ? true : 'Write it like https://api.example.com.',
      })),
    context.options.baseUrl === undefined ? 'the answer' : '--base-url',
  )
  if (!options.allowHttp) refuseInsecure(baseUrl, '--base-url')
  const secret = await keyFor(context, options)
  const profile: Profile = {
    baseUrl,
    ...secret,
    ...(options.allowHttp ? { allowHttp: true } : {}),
    ...(options.multiValue ? { multiValue: options.multiValue } : {}),
  }
  if (options.verify) await verify(context, profile)
  const isCurrent = async () => (await profiles.current()) === name
  if (context.options.dryRun)
    return await context.item(view, { ...shown(name, profile, await isCurrent()), keyStored: null })
  const { saved, trouble } = await saveProfile(context, name, profile)
  await context.item(view, { ...shown(name, profile, await isCurrent()), keyStored: keyStored(saved) })
  const isInKeychain = saved.keychain !== undefined
  await context.note(
    `The profile "${name}" is saved in ${context.places.configDir}${isInKeychain ? ', and its key in the keychain' : ''}.`,
  )
  if (trouble !== undefined)
    await context.note(`Its key is kept in config.json there, which only you can read, since ${trouble}.`)
  if (!(await isCurrent()))
    await context.note(`Another profile is in use. Use this one from now on: pubctl profile use ${name}`)
}

const askName = async ({ ask }: Context) =>
  await ask.text('What shall the profile be called?', 'a name', {
    initial: 'default',
    check(text) {
      try {
        checkProfileName(text)
        return true
      } catch (error) {
        return error instanceof Failure ? error.message : 'That is not a name.'
      }
    },
  })

async function keyFor(
  context: Context,
  { keyCommand }: SetupOptions,
): Promise<Pick<Profile, 'apiKey' | 'keyCommand'>> {
  const { ask } = context
  const keyText = await context.keyFromFlag()
  if (keyText !== undefined && keyCommand !== undefined) {
    throw new UsageFailure('--api-key-file and --key-command both give the key; use one')
  }
  if (keyCommand !== undefined) return { keyCommand }
  if (keyText !== undefined) return { apiKey: checkKey(withoutFinalNewline(keyText), '--api-key-file') }
  const how = await ask.choose('Where does the key come from?', '--api-key-file or --key-command', [
    { value: 'typed', name: 'I type it; the keychain keeps it, or else a file that only I can read' },
    { value: 'command', name: 'A command prints it, such as that of a password manager' },
  ])
  if (how === 'command')
    return { keyCommand: await ask.text('Which command prints the key?', '--key-command') }
  return { apiKey: checkKey((await ask.secret('The API key', '--api-key-file')).trim(), 'the prompt') }
}

/** Makes one request with the key. A key that may not read is still a key that the service knows. */
async function verify(context: Context, profile: Profile): Promise<void> {
  const { runKeyCommand } = await import('../config/key-command.ts')
  const key = profile.apiKey ?? (await runKeyCommand(profile.keyCommand ?? '', context.world))
  const { call } = await context.connect({
    baseUrl: profile.baseUrl,
    key,
    multiValue: profile.multiValue ?? 'repeat',
  })
  try {
    await call(apikeys.list, {})
  } catch (error) {
    if (error instanceof ServiceFailure && error.status === 403) return
    if (error instanceof ServiceFailure && error.status === 401) {
      throw new ServiceFailure('the service does not know this key, so the profile was not saved', {
        status: 401,
        code: error.code,
        requestId: error.requestId,
        hint: 'Look for a missing or a stray character, or save it unchecked with --no-verify.',
      })
    }
    throw error
  }
}

/** The keychain is not asked for what is shown, since a person might have to unlock it first. */
const shown = (name: string, profile: Profile, isCurrent: boolean) => ({
  name,
  baseUrl: profile.baseUrl,
  isCurrent,
  key: profile.apiKey === undefined ? null : maskKey(profile.apiKey),
  keyCommand: profile.keyCommand ?? null,
  allowHttp: profile.allowHttp ?? false,
  multiValue: profile.multiValue ?? 'repeat',
  keyStored: keyStored(profile),
})

function keyStored({ apiKey, keyCommand, keychain }: Profile): 'keychain' | 'file' | 'command' | null {
  if (keychain !== undefined) return 'keychain'
  if (keyCommand !== undefined) return 'command'
  return apiKey === undefined ? null : 'file'
}

const shownSandbox = (isCurrent: boolean) => ({
  name: sandboxName,
  baseUrl: null,
  isCurrent,
  key: null,
  keyCommand: null,
  allowHttp: false,
  multiValue: 'repeat',
  keyStored: null,
})

async function warnOfModes({ profiles, warn }: Context): Promise<void> {
  for (const { path, mode, wanted } of profiles.looseModes()) {
    await warn({
      code: 'loose_mode',
      message: `others can reach ${path} (mode ${mode.toString(8)}); close it with: chmod ${wanted.toString(8)} ${path}`,
    })
  }
}
