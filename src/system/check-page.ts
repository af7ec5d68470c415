import { extname } from 'node:path'
import { UsageFailure } from './errors.ts'
import { checkWritable } from './write-file.ts'

/** Throws UsageFailure if a page cannot be written as this file, be it for its name. */
export function checkPage(path: string): void {
  if (extname(path).toLowerCase() !== '.html') {
    throw new UsageFailure(`no report can be written as ${path}`, { hint: 'Its name ends in .html.' })
  }
  checkWritable(path)
}
