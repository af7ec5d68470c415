import { locales } from 'zod/mini'
import { useZod } from './zod.ts'
import * as names from './zod-names.ts'

useZod(names)

const english = locales.en()

/**
 * What each check of a value is told, since zod/mini has no messages by default. zod's own configuration is left alone: a
 * program that uses the library shares it. Whoever checks by the contract's schemas gets it from here, where zod is loaded.
 */
export const inEnglish = { error: english.localeError }
