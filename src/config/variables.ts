import { UsageFailure } from '../system/errors.ts'
import type { World } from '../system/world.ts'

/**
 * The value of one of pubctl's own environment variables, or undefined. Throws UsageFailure for an empty one: it is nearly
 * always a mistake in a script, such as a missing secret, and ignoring it would use another key or address.
 */
export function variable(env: World['env'], name: `PUBCTL_${string}`): string | undefined {
  const value = env[name]
  if (value !== undefined && value.trim() === '') {
    throw new UsageFailure(`${name} is set but empty`, { hint: `Give ${name} a value, or unset it.` })
  }
  return value
}

/** How parameters with several values are sent where the profile does not say; undefined when it is not set. */
export function multiValueIn(env: World['env']): 'repeat' | 'comma' | undefined {
  const value = variable(env, 'PUBCTL_MULTI_VALUE')
  if (value === undefined || value === 'repeat' || value === 'comma') return value
  throw new UsageFailure('PUBCTL_MULTI_VALUE is neither repeat nor comma', {
    hint: 'Set it to comma for a service that takes statuses=draft,live, to repeat for any other, or unset it.',
  })
}

/** Whether PUBCTL_KEYCHAIN is off, so that keys are not stored in the keychain. */
export function isKeychainOff(env: World['env']): boolean {
  const value = variable(env, 'PUBCTL_KEYCHAIN') ?? 'on'
  if (value === 'on' || value === 'off') return value === 'off'
  throw new UsageFailure('PUBCTL_KEYCHAIN is neither on nor off', {
    hint: 'Set it to off to keep keys in the file, or unset it.',
  })
}
