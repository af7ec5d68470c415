import { UsageFailure } from './errors.ts'

/** The failure for a file that must not be replaced. */
export const isThereAlready = (file: string): UsageFailure =>
  new UsageFailure(`${file} is there already`, { hint: 'Choose another name, or replace it with --force.' })
