import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'yaml'
import type { YamlAnswer } from './parse-yaml.ts'

// The parser can take the square of the time of its text, so it runs in a thread that can be ended.
function answer(): YamlAnswer {
  try {
    // All values are read as text; otherwise an ISBN would become a number. Warnings would be printed past the output.
    return { value: parse(String(workerData), { schema: 'failsafe', logLevel: 'error' }) as unknown }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

parentPort?.postMessage(answer())
