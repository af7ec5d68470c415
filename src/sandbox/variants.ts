import { UsageFailure } from '../system/errors.ts'

const variants = ['current-at-creation', 'new-object-keys'] as const

/**
 * What the sandbox can do in another way than usual, where the service's document leaves it open. `current-at-creation`: an
 * edition is the current one as soon as it is created, and not when it is available. `new-object-keys`: each upload intent is
 * for an object of its own, and not for the one that the edition names as its `key`.
 */
export type SandboxVariant = (typeof variants)[number]

/**
 * The variants of these names, of which a text may have several, separated by commas. `name` is what an error calls them.
 * Throws UsageFailure.
 */
export const parseVariants = (texts: readonly string[], name: string): SandboxVariant[] =>
  texts
    .flatMap(text => text.split(','))
    .map(text => {
      const found = variants.find(variant => variant === text.trim())
      if (found !== undefined) return found
      throw new UsageFailure(`${name}: "${text}" is not a variant`, {
        hint: `The variants are ${variants.join(' and ')}.`,
      })
    })
