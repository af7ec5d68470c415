import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { execa } from 'execa'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { bin } from './bin-path.ts'
import { withCompiledCode } from './compiled-code.ts'
import { npmEnvironment } from './npm.ts'
import { temporaryFolder } from './pubctl.ts'

const root = join(import.meta.dirname, '../../..')

interface Step {
  readonly id?: string
  readonly if?: string
  readonly run?: string
  readonly shell?: string
  readonly uses?: string
  readonly env?: Record<string, string>
  readonly with?: Record<string, string | boolean>
  readonly 'working-directory'?: string
}
interface Action {
  readonly inputs: Record<string, { readonly description: string; readonly default: string }>
  readonly outputs: Record<string, { readonly value: string }>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const actionText = readFileSync(join(root, 'action.yml'), 'utf8')
export const action: Action = parse(actionText)

/** How a runner starts each shell: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax */
const shells: Record<string, (script: string) => [string, ...string[]]> = {
  bash: script => ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script],
}

interface StepResult {
  readonly outputs: Record<string, string>
  readonly code: number
}
type StepResults = Record<string, StepResult>
interface Values {
  readonly inputs: Record<string, string>
  readonly steps: StepResults
}

/** What an expression stands for, by GitHub's own language. */
function evaluated(expression: string, { inputs, steps }: Values, isWell = true): data.ExpressionData {
  const status = (name: string, value: boolean) => ({
    ...{ name, minArgs: 0, maxArgs: 0 },
    call: () => new data.BooleanData(value),
  })
  const functions = [
    status('always', true),
    status('success', isWell),
    status('failure', !isWell),
    status('cancelled', false),
  ]
  const context = JSON.parse(JSON.stringify({ inputs, steps }), data.reviver) as data.Dictionary
  const { tokens } = new Lexer(expression).lex()
  const tree = new Parser(tokens, ['inputs', 'steps'], functions).parse()
  return new Evaluator(tree, context, new Map(functions.map(each => [each.name, each]))).evaluate()
}

const filledIn = (text: string, values: Values): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluated(expression, values).coerceString())

/** Whether a step is run: without a status function in its condition, only while all went well. */
function isRun({ if: condition }: Step, values: Values, isWell: boolean): boolean {
  if (condition === undefined) return isWell
  const expression = condition.replace(/^\$\{\{(.*)\}\}$/s, '$1')
  const asksStatus = /\b(always|success|failure|cancelled)\(\)/.test(expression)
  const value = evaluated(expression, values, isWell)
  return (asksStatus || isWell) && !['', 'false', '0'].includes(value.coerceString())
}

interface Use {
  readonly event?: string
  /** Variables of the job. */
  readonly env?: Record<string, string>
  /** Where the runner has put the checkout of the action; without it, the step that installs is left out. */
  readonly checkout?: string
}

/** A runner of GitHub Actions with a repository checked out, which can `use` the action. */
export function actionRunner(files: Record<string, string | Buffer>) {
  const workspace = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }

  /** Starts the steps of action.yml one after the other as a runner does, each time on a machine of its own. */
  const use = async (given: Record<string, string>, { event = 'push', env = {}, checkout }: Use = {}) => {
    const temp = temporaryFolder()
    const file = (name: string): string => {
      const path = join(temp, name)
      writeFileSync(path, '', { flag: 'a' })
      return path
    }
    const read = (name: string) => readFileSync(file(name), 'utf8')
    const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default])
    const values = { inputs: { ...Object.fromEntries(defaults), ...given }, steps: {} as StepResults }
    const isOwnProgram = checkout === undefined
    if (isOwnProgram) values.steps['install'] = { outputs: { program: bin }, code: 0 }
    const kept: Record<string, string>[] = []
    let code = 0
    let all = ''
    for (const [index, step] of action.runs.steps.entries()) {
      const id = step.id ?? `step-${index}`
      if (id in values.steps || !isRun(step, values, code === 0)) continue
      if (step.run === undefined) {
        kept.push(
          Object.fromEntries(
            Object.entries(step.with ?? {}).map(([name, value]) => [name, filledIn(`${value}`, values)]),
          ),
        )
        continue
      }
      const script = join(temp, `${index}.sh`)
      writeFileSync(script, filledIn(step.run, values))
      const [program, ...args] = shells[step.shell ?? '']?.(script) ?? []
      if (program === undefined) throw new Error(`no runner knows the shell ${step.shell}`)
      const added = read('path').trim().split('\n').filter(Boolean).reverse()
      const result = await execa(program, args, {
        cwd: join(workspace, filledIn(step['working-directory'] ?? '.', values)),
        env: {
          ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: event },
          ...{ GITHUB_ACTION_PATH: checkout ?? root, GITHUB_WORKSPACE: workspace },
          ...{ GITHUB_OUTPUT: file(`output-${index}`), GITHUB_PATH: file('path') },
          ...{
            GITHUB_STEP_SUMMARY: file('summary'),
            RUNNER_TEMP: temp,
            HOME: withCompiledCode(temporaryFolder()),
          },
          ...{ PATH: [...added, process.env['PATH'] ?? ''].join(delimiter), PUBCTL_KEYCHAIN: 'off' },
          ...(isOwnProgram ? {} : npmEnvironment()),
          ...env,
          ...Object.fromEntries(
            Object.entries(step.env ?? {}).map(([name, value]) => [name, filledIn(value, values)]),
          ),
        },
        ...{ extendEnv: false, reject: false, all: true, stdin: 'ignore' },
      })
      const outputs = outputsIn(read(`output-${index}`))
      values.steps[id] = { outputs, code: result.exitCode ?? 1 }
      if (code === 0) code = result.exitCode ?? 1
      all += `${result.all ?? ''}\n`
    }
    const output = Object.fromEntries(
      Object.entries(action.outputs).map(([name, { value }]) => [name, filledIn(value, values)]),
    )
    return { code, all, output, kept, read, steps: values.steps, annotations: annotationsIn(all) }
  }
  return { workspace, use }
}

const outputsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(/=(.*)/s).slice(0, 2)),
  )

/** The commands that a runner would carry out: none of those between the marks that stop and resume them. */
function annotationsIn(output: string): string[] {
  const found: string[] = []
  let token: string | undefined
  for (const line of output.split('\n').map(each => each.trimStart())) {
    const [, stopped] = /^::stop-commands::(.+)$/.exec(line) ?? []
    if (token !== undefined) token = line === `::${token}::` ? undefined : token
    else if (stopped !== undefined) token = stopped
    else if (line.startsWith('::') || line.startsWith('##[')) found.push(line)
  }
  expect(token).toBeUndefined()
  return found
}
