import type { Context } from '../cli/context.ts'
import { neutraliseLine } from '../cli/output/neutralise.ts'
import type { View } from '../cli/output/view.ts'
import { wrap } from '../cli/output/wrap.ts'
import { showsFullTable } from '../cli/output-kind.ts'
import { Failure } from '../system/errors.ts'
import type { Finding } from './finding.ts'

/** Prints the findings: at a terminal as lines with the hint below each, else as a list. */
export async function printFindings(
  view: View,
  context: Context,
  findings: readonly Finding[],
): Promise<void> {
  const { out, err } = context
  const rows = findings.map(({ check, status, message, hint }) => ({
    check,
    status,
    message: err.hide(message),
    hint,
  }))
  if (!showsFullTable(context)) return await context.list(view, [rows])
  const colours = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const
  const width = Math.max(...rows.map(({ check }) => check.length))
  for (const { check, status, message, hint } of rows) {
    const head = `${out.paint(colours[status], status)}  ${check.padEnd(width)}  `
    const indent = ' '.repeat(width + 8)
    const wrapped = (text: string) => wrap(`${indent}${neutraliseLine(text)}`, out.width, indent)
    await out.styled(`${head}${wrapped(message).slice(indent.length)}\n`)
    if (hint) await out.styled(`${wrapped(hint)}\n`)
  }
}

/** The failure of a run in which checks failed, with the code of the first one. */
export function summaryFailure(findings: readonly Finding[], first: Failure): Failure {
  const count = findings.filter(({ failure }) => failure).length
  return new Failure(`${count} of ${findings.length} checks failed; the first: ${first.message}`, {
    code: first.code,
    exitCode: first.exitCode,
    hint: first.hint,
  })
}
