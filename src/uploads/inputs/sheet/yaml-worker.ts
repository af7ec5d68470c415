import { parentPort, workerData } from 'node:worker_threads'
import { LineCounter, parseDocument } from 'yaml'
import { yamlErrorText } from '../../../system/yaml-error.ts'
import type { YamlAnswer } from './parse-yaml.ts'

// The parser can take the square of the time of its text, so it runs in a thread that can be ended.
function answer(): YamlAnswer {
  try {
    const lineCounter = new LineCounter()
    // All values are read as text; otherwise an ISBN would become a number. A prettier message is made for each of thousands of
    // errors, and looks at the whole line each time.
    const options = { schema: 'failsafe', prettyErrors: false, lineCounter } as const
    const document = parseDocument(String(workerData), options)
    const [error] = document.errors
    if (error === undefined) return { value: document.toJS() as unknown }
    const { line, col } = lineCounter.linePos(error.pos[0])
    return { error: `${yamlErrorText(error)} at line ${line}, column ${col}` }
  } catch (error) {
    return { error: yamlErrorText(error as Error) }
  }
}

parentPort?.postMessage(answer())
