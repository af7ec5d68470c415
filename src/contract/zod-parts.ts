import { config, locales } from 'zod/mini'

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

// zod/mini has no messages by default, and compiling schemas takes a short command longer than it saves.
config({ ...locales.en(), jitless: true })
