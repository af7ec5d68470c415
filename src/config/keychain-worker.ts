import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { whyNotLoaded } from '../system/native-package.ts'

/** A request to the keychain, as JSON on standard input. */
export interface KeychainRequest {
  readonly action: 'get' | 'set' | 'delete'
  readonly account: string
  readonly key?: string
}

/** The current step, as a line of JSON on standard output. The answer is the last line. */
export type KeychainStep = 'asking' | 'answering'

// Every call blocks until the keychain answers, which may never happen. So nothing else runs in this process.
const { action, account, key = '' } = JSON.parse(readFileSync(0, 'utf8')) as KeychainRequest
say(answer())

function answer(): { value: string | null } | { trouble: string } {
  const library = load()
  if ('trouble' in library) return library
  say('asking')
  let entry: InstanceType<typeof library.Entry>
  try {
    // Without this option, the library falls back to the kernel's keyring, which does not survive a restart.
    entry = new library.Entry('pubctl', account, { linux: { store: 'secret-service' } })
  } catch {
    return { trouble: 'no secret service answers' }
  }
  say('answering')
  try {
    if (action === 'get') return { value: entry.getPassword() }
    if (action === 'set') entry.setPassword(key)
    else entry.deleteCredential()
    return { value: null }
  } catch (error) {
    const { message } = error as Error
    const isLocked = /\b(locked|dismissed|interaction is not allowed)\b/i.test(message)
    return { trouble: isLocked ? 'the keychain is locked' : `the keychain refuses (${message})` }
  }
}

function load(): typeof import('@napi-rs/keyring') | { readonly trouble: string } {
  try {
    return createRequire(import.meta.url)('@napi-rs/keyring')
  } catch (error) {
    const { trouble, hint } = whyNotLoaded(error, process.platform, process.arch)
    return { trouble: `@napi-rs/keyring ${trouble}${hint === undefined ? '' : `. ${hint}`}` }
  }
}

function say(what: unknown): void {
  writeSync(1, `${JSON.stringify(what)}\n`)
}
