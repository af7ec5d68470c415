import { run } from './program.ts'

/** The scripts in completions/, by their paths. */
const shells = {
  'completions/pubctl.bash': 'bash',
  'completions/_pubctl': 'zsh',
  'completions/pubctl.fish': 'fish',
  'completions/pubctl.ps1': 'powershell',
}

/** What the built program prints for each shell. */
export const completions = (): Map<string, string> =>
  new Map(Object.entries(shells).map(([path, shell]) => [path, run('completions', shell)]))
