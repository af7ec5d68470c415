import { locales } from 'zod/mini'

export {
  array,
  boolean,
  catchall,
  enum,
  extend,
  int,
  lazy,
  looseObject,
  maximum,
  meta,
  minimum,
  minLength,
  nullable,
  nullish,
  number,
  object,
  omit,
  optional,
  partialRecord,
  record,
  refine,
  regex,
  strictObject,
  string,
  union,
  unknown,
  uuid,
} from 'zod/mini'

const english = locales.en()

/**
 * What each check of a value is told, since zod/mini has no messages by default. zod's own configuration is left alone: a
 * program that uses the library shares it.
 */
export const inEnglish = { error: english.localeError }
