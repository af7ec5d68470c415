import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files in a folder and its folders, by their paths below it with slashes, sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => statSync(join(folder, file)).isFile())
    .map(file => file.replaceAll('\\', '/'))
    .sort()
