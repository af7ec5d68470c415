import type { Command } from '@commander-js/extra-typings'

/** Adds the option that names the database of the queue. */
export const databaseOption = <A extends unknown[], O extends Record<string, unknown>>(
  command: Command<A, O>,
) =>
  command
    .optionsGroup('The queue:')
    .option('--database <url>', 'the PostgreSQL database, without a password; else PUBCTL_DATABASE_URL')
