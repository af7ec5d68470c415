import { processMark } from '../../src/system/process-mark.ts'
import { simulateDatabase } from './database/driver.ts'
import { simulateDisk } from './disk.ts'
import { simulateProcesses, simulateThreads, simulateTimers } from './process.ts'
import { simulateRandom } from './random.ts'

/** Puts simulated processes, timers, a simulated disk and seeded randomness in the place of Node's, and a stand-in in that of PostgreSQL, before anything of the program takes functions of it. */
export function prepare(): void {
  // It is kept by whoever asks first, and must be that of a process that lives.
  processMark()
  simulateRandom()
  simulateDisk()
  simulateProcesses()
  simulateTimers()
  simulateThreads()
  simulateDatabase()
}
