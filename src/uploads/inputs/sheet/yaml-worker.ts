import { parentPort, workerData } from 'node:worker_threads'
import { readYaml, yamlErrorText } from '../../../system/yaml-document.ts'
import type { YamlAnswer } from './parse-yaml.ts'

// The parser can take the square of the time of its text, so it runs in a thread that can be ended.
function answer(): YamlAnswer {
  try {
    // All values are read as text; otherwise an ISBN would become a number.
    const { document, fault } = readYaml(String(workerData), { schema: 'failsafe' })
    return fault ? { error: `${fault.says} at ${fault.place}` } : { value: document.toJS() as unknown }
  } catch (error) {
    return { error: yamlErrorText(error as Error) }
  }
}

parentPort?.postMessage(answer())
