import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { exitCodes, Failure } from '../system/errors.ts'
import { throwIfInterrupted } from '../system/interrupted-child.ts'
import { workerPath } from '../system/worker-path.ts'
import type { World } from '../system/world.ts'
import { checkKey } from './key-text.ts'
import type { KeychainRequest, KeychainStep } from './keychain-worker.ts'
import { isKeychainOff } from './variables.ts'

/** Why the keychain failed, as a clause. */
interface Trouble {
  readonly trouble: string
}

type Answer = { readonly value: string | null } | Trouble

/**
 * API keys in the operating system's keychain: a secret service such as GNOME's or KDE's, the macOS keychain, or the
 * Windows credential manager. An entry is found by the profile's name, the config folder and an id.
 */
interface Keychain {
  /** Throws Failure `keychain_unavailable` when the key cannot be read. */
  get(profile: string, id: string): Promise<string>
  /** Adds a key, and returns its id. */
  add(profile: string, key: string): Promise<{ readonly id: string } | Trouble>
  /** Removes a key if it exists. Returns why that failed. */
  remove(profile: string, id: string): Promise<Trouble | undefined>
}

/** The timeout of each step, and the clause for a step that took longer. */
const timeouts: Record<KeychainStep | 'starting', readonly [milliseconds: number, trouble: string]> = {
  starting: [10_000, 'the process that asks the keychain did not start within 10 seconds'],
  asking: [3000, 'no secret service answered within 3 seconds'],
  // The user may have to unlock the keychain first.
  answering: [60_000, 'the keychain was not unlocked within 60 seconds'],
}
/** After this time the user is told that the keychain may have to be unlocked, in milliseconds. */
const unlockReminder = 3000

type Asker = Pick<World, 'env' | 'signal'>

/** The keychain for the profiles in a config folder. `note` tells the user that the keychain must be unlocked. */
export function openKeychain(folder: string, world: Asker, note: (text: string) => Promise<void>): Keychain {
  const account = (profile: string, id: string) => `${profile} in ${folder} (${id})`
  const tell = () => void note('The keychain is waiting to be unlocked.')
  return {
    async get(profile, id) {
      const answer = await ask({ action: 'get', account: account(profile, id) }, world, tell)
      if ('trouble' in answer) throw unavailable(profile, answer.trouble)
      if (answer.value === null) throw unavailable(profile, 'the keychain has no such entry')
      return checkKey(answer.value, 'the keychain')
    },
    async add(profile, key) {
      const { randomBytes } = await import('node:crypto')
      const id = randomBytes(8).toString('hex')
      const answer = await ask({ action: 'set', account: account(profile, id), key }, world, tell)
      return 'trouble' in answer ? answer : { id }
    },
    async remove(profile, id) {
      const answer = await ask({ action: 'delete', account: account(profile, id) }, world, tell)
      return 'trouble' in answer ? answer : undefined
    },
  }
}

/** Asks in a separate process: a secret service may never answer, and only a process can be killed then. */
async function ask(request: KeychainRequest, { env, signal }: Asker, tell: () => void): Promise<Answer> {
  if (isKeychainOff(env)) return { trouble: 'PUBCTL_KEYCHAIN is off' }
  signal.throwIfAborted()
  // The key goes through a pipe, because other users can see command lines.
  const child = execa(process.execPath, [workerPath('keychain-worker')], {
    input: JSON.stringify(request),
    stderr: 'ignore',
    env,
    extendEnv: false,
    buffer: false,
    reject: false,
  })
  if (child.pid === undefined)
    return { trouble: `the process that asks it cannot be started (${(await child).code})` }
  const end = () => {
    child.kill('SIGKILL')
    child.stdout.destroy()
  }
  let answer: Answer = { trouble: 'the process that asks the keychain ended early' }
  let timer: NodeJS.Timeout | undefined
  let reminder: NodeJS.Timeout | undefined
  const startTimer = (step: keyof typeof timeouts) => {
    const [milliseconds, trouble] = timeouts[step]
    clearTimeout(timer)
    timer = setTimeout(() => {
      answer = { trouble }
      end()
    }, milliseconds)
    if (step === 'answering') reminder = setTimeout(tell, unlockReminder)
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    startTimer('starting')
    const lines = createInterface({ input: child.stdout })
    lines.on('line', line => {
      const said: KeychainStep | Answer = JSON.parse(line)
      if (typeof said === 'string') return startTimer(said)
      answer = said
      end()
    })
    throwIfInterrupted(await child)
  } finally {
    clearTimeout(timer)
    clearTimeout(reminder)
    signal.removeEventListener('abort', end)
  }
  signal.throwIfAborted()
  return answer
}

const unavailable = (profile: string, trouble: string): Failure =>
  new Failure(`the key of the profile "${profile}" cannot be read from the keychain: ${trouble}`, {
    code: 'keychain_unavailable',
    exitCode: exitCodes.notAuthenticated,
    hint: `Unlock the keychain and try again, give the key with --api-key-file or PUBCTL_API_KEY, or store it again with: pubctl profile setup ${profile}`,
  })
