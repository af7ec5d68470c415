import type { Context } from '../../cli/context.ts'
import { neutraliseLine } from '../../cli/output/neutralise.ts'
import { wrap } from '../../cli/output/wrap.ts'
import { parseAddress, refuseInsecure } from '../../config/address.ts'
import { checkKey, withoutFinalNewline } from '../../config/key-text.ts'
import { checkProfileName, type Profile } from '../../config/profile.ts'
import { apikeys } from '../../service/contract/apikeys.ts'
import { Failure, NetworkFailure, ServiceFailure, UsageFailure } from '../../system/errors.ts'
import { isLoopback } from '../../system/loopback.ts'
import { askedChecks, type CheckChoice } from '../../uploads/asked-checks.ts'
import { saveProfile } from './save.ts'
import { keyStored, shown, view } from './view.ts'

interface SetupOptions {
  keyCommand?: string | undefined
  allowHttp?: true | undefined
  multiValue?: 'repeat' | 'comma' | undefined
  rules?: readonly string[] | undefined
  epubcheck?: true | undefined
  verify: boolean
}

/** Sets up a profile from flags, and asks for what is missing. Checks the key before the profile is saved. */
export async function setUp(
  context: Context,
  given: string | undefined,
  options: SetupOptions,
): Promise<void> {
  await context.check(view)
  const { ask, profiles } = context
  const name = given ?? context.options.profile ?? (ask.isPossible ? await askName(context) : 'default')
  checkProfileName(name)
  // One that cannot be read is replaced as well.
  const there = await profiles.get(name).catch(() => undefined)
  if (there)
    await context.note(`There is a profile "${name}" already, for ${there.baseUrl}; this replaces it.`)
  const { rules, epubcheck } = await keptChecks(context, options)
  let baseUrl = await addressFor(context, options, there?.baseUrl)
  const profileWith = (secret: Secret): Profile => ({
    baseUrl,
    ...secret,
    ...(options.allowHttp ? { allowHttp: true } : {}),
    ...(options.multiValue ? { multiValue: options.multiValue } : {}),
    ...(rules ? { rules } : {}),
    ...(epubcheck ? { epubcheck } : {}),
  })
  const check = async (secret: Secret) => {
    while (options.verify) {
      try {
        return await verify(context, profileWith(secret))
      } catch (error) {
        if (!(error instanceof Failure && isAboutAddress(error) && isAddressAsked(context))) throw error
        await tell(context, `${error.message}. Type the address again, or press Ctrl-C.`)
        baseUrl = await addressFor(context, options, baseUrl)
      }
    }
  }
  const profile = profileWith(await keyFor(context, options, check))
  const isCurrent = async () => (await profiles.current()) === name
  if (context.options.dryRun)
    return await context.item(view, { ...shown(name, profile, await isCurrent()), keyStored: null })
  const { saved, trouble } = await saveProfile(context, name, profile)
  await context.item(view, { ...shown(name, profile, await isCurrent()), keyStored: keyStored(saved) })
  const isInKeychain = saved.keychain !== undefined
  await context.note(
    `The profile "${name}" is saved in ${context.directories.configDir}${isInKeychain ? ', and its key in the keychain' : ''}.`,
  )
  if (trouble !== undefined)
    await context.note(`Its key is kept in config.json there, which only you can read, since ${trouble}.`)
  if (!(await isCurrent()))
    await context.note(`Another profile is in use. Use this one from now on: pubctl profile use ${name}`)
}

/** The checks that are given, which the profile keeps. What the profile in use has is none of this one. */
const keptChecks = async (context: Context, { rules = ['none'], epubcheck = false }: CheckChoice) =>
  await askedChecks(context, { rules, epubcheck })

async function addressFor(
  context: Context,
  { allowHttp }: SetupOptions,
  initial: string | undefined,
): Promise<string> {
  const parse = (text: string, source: string): string => {
    const address = parseAddress(mended(text), source)
    if (!allowHttp) refuseInsecure(address, source)
    return address
  }
  const { baseUrl } = context.options
  if (baseUrl !== undefined) return parse(baseUrl, '--base-url')
  const source = 'the answer'
  const typed = await context.ask.text('What is the address of the service?', '--base-url', {
    ...(initial !== undefined && { initial }),
    check: text => troubleOf(() => parse(text.trim(), source)) ?? true,
  })
  return parse(typed.trim(), source)
}

const isAddressAsked = ({ ask, options }: Context): boolean => ask.isPossible && options.baseUrl === undefined

/** An address as people paste it, with the scheme that it lacks, and without the version that pubctl adds by itself. */
function mended(text: string): string {
  const isWithoutScheme =
    /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/i.test(text) && URL.canParse(`http://${text}`)
  const scheme = isWithoutScheme
    ? isLoopback(new URL(`http://${text}`).hostname)
      ? 'http://'
      : 'https://'
    : ''
  return `${scheme}${text}`.replace(/\/v1\/*$/, '')
}

const tell = async ({ err }: Context, text: string) =>
  await err.write(`${wrap(neutraliseLine(text), err.width)}\n`)

/** The message of the failure that `read` throws; undefined when the answer is valid. */
function troubleOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.message, error.hint].filter(Boolean).join('\n')
  }
}

const askName = async ({ ask }: Context) =>
  await ask.text('What should the profile be called?', 'a name', {
    initial: 'default',
    check: text => troubleOf(() => checkProfileName(text)) ?? true,
  })

type Secret = Pick<Profile, 'apiKey' | 'keyCommand'>

/** The key from flags or from the user. `check` throws for an unusable one; the user is then asked again. */
async function keyFor(
  context: Context,
  { keyCommand }: SetupOptions,
  check: (secret: Secret) => Promise<void>,
): Promise<Secret> {
  const { ask } = context
  const keyText = await context.keyFromFlag()
  if (keyText !== undefined && keyCommand !== undefined) {
    throw new UsageFailure('--api-key-file and --key-command both give the key; use one')
  }
  const checked = async (secret: Secret): Promise<Secret> => {
    await check(secret)
    return secret
  }
  if (keyCommand !== undefined) return await checked({ keyCommand })
  if (keyText !== undefined)
    return await checked({ apiKey: checkKey(withoutFinalNewline(keyText), '--api-key-file') })
  const how = await ask.choose('Where does the key come from?', '--api-key-file or --key-command', [
    { value: 'typed', name: 'I type it; the keychain keeps it, or else a file that only I can read' },
    { value: 'command', name: 'A command prints it, such as that of a password manager' },
  ])
  const typed = async (): Promise<Secret> =>
    how === 'command'
      ? { keyCommand: await ask.text('Which command prints the key?', '--key-command') }
      : { apiKey: checkKey((await ask.secret('The API key', '--api-key-file')).trim(), 'the prompt') }
  for (;;) {
    try {
      return await checked(await typed())
    } catch (error) {
      if (!(error instanceof Failure && isAboutKey(error))) throw error
      await tell(context, `${error.message}. ${error.hint ?? ''} Try again, or press Ctrl-C.`)
    }
  }
}

/** Whether another key or key command may succeed. */
const isAboutKey = (failure: Failure): boolean =>
  isUnknownKey(failure) || failure.code === 'unfit_key' || failure.code === 'key_command_failed'

/** Only the service's 401 is about the key. A proxy can answer 401, too. */
const isUnknownKey = (error: unknown): boolean => error instanceof ServiceFailure && error.status === 401

/** Whether the failure says that the service is not at this address. */
const isAboutAddress = (failure: Failure): boolean =>
  failure instanceof NetworkFailure || (failure instanceof ServiceFailure && failure.status === 404)

/** Makes a request with the key. Throws if the service does not know it; a key without the right to read is valid. */
async function verify(context: Context, profile: Profile): Promise<void> {
  const { runKeyCommand } = await import('../../config/key-command.ts')
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
    if (error instanceof ServiceFailure && isUnknownKey(error)) {
      const why = error.message.replace(/\.$/, '')
      throw new ServiceFailure(`the service refused the key: ${why}`, {
        status: 401,
        code: error.code,
        requestId: error.requestId,
        hint: 'See that it is active and was copied whole, or save the profile unchecked with --no-verify.',
      })
    }
    throw error
  }
}
