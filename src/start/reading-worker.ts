import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { load } from './start.ts'

// The thread that reads books begins with compiled code as well: it would compile 220 kB for a few books otherwise.
const place = { env: process.env, home: homedir(), platform: process.platform }
load('./reading-thread.js', place, createRequire(import.meta.filename))
