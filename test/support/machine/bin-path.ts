import { join } from 'node:path'

/** The program as npm installs it. */
export const bin = join(import.meta.dirname, '../../../bin/pubctl.js')
