import { createRequire } from 'node:module'
import { join } from 'node:path'

export type Library = typeof import('../../src/library/index.ts')
type SandboxLibrary = typeof import('../../src/library/sandbox.ts')

const dist = join(import.meta.dirname, '../../dist')
const require = createRequire(import.meta.url)

/** The built library, as others import it. */
export const library: Library = require(join(dist, 'index.js'))
export const { startSandbox }: SandboxLibrary = require(join(dist, 'sandbox.js'))
