import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Run } from '../../cli/context.ts'
import type { View } from '../../cli/output/view.ts'

const fields = ['check', 'status', 'message', 'hint'] as const
const view: View = {
  columns: fields.map(field => ({ field })),
  fields: () => new Set(fields),
}

export function register(group: Command, run: Run): void {
  const examples = ['doctor', 'doctor --profile sandbox', 'doctor --json', 'doctor --session session.json']
  about(group, { does: 'reads', withheld: ['--session'], examples })
    .option('--session <file>', 'check the store that this upload session names, or - for standard input')
    .action(
      run(async (context, { session }) => {
        await context.check(view)
        // Loaded here, because the help does not need the network and the checks.
        const { runChecks, storeOf } = await import('../../doctor/run-checks.ts')
        const { printFindings, summaryFailure } = await import('../../doctor/print-findings.ts')
        const store = session === undefined ? undefined : await storeOf(context, session)
        const findings = await runChecks(context, store)
        await printFindings(view, context, findings)
        const first = findings.find(({ failure }) => failure)?.failure
        if (first) throw summaryFailure(findings, first)
      }),
    )
}
