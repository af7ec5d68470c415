import { Argument, type Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { describeCommand, type LoadTree } from '../cli/command-tree.ts'
import type { Run } from '../cli/context.ts'
import type { View } from '../cli/output/view.ts'
import { wantsJson } from '../cli/output-kind.ts'
import { topics } from '../cli/topics.ts'
import { bashScript } from '../help/shells/bash.ts'
import { fishScript } from '../help/shells/fish.ts'
import { powershellScript } from '../help/shells/powershell.ts'
import { shapesOf } from '../help/shells/shape.ts'
import { zshScript } from '../help/shells/zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }
const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
const view: View = { columns: [], fields: () => new Set(['shell', 'script']) }

export function register(group: Command, run: Run, loadTree: LoadTree): void {
  about(group.addArgument(new Argument('<shell>', 'the shell to complete in').choices(shells)), {
    does: 'reads',
    notForAgents: 'agents have no shell that it could complete in',
    examples: [
      'completions bash > ~/.local/share/bash-completion/completions/pubctl',
      'completions zsh > ~/.zfunc/_pubctl',
      'completions fish > ~/.config/fish/completions/pubctl.fish',
      'completions powershell >> $PROFILE',
    ],
    isLocal: true,
  }).action(
    run(async (context, shell) => {
      await context.check(view)
      const ours = topics.map(({ name, summary }) => ({ text: name, description: summary }))
      const script = scripts[shell](shapesOf(describeCommand(await loadTree())), ours)
      await (wantsJson(context) ? context.json({ shell, script }) : context.out.json(script))
    }),
  )
}
