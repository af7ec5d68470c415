import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './pubctl.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['--version']).status === 0

const root = join(import.meta.dirname, '../../..')
const program = join(root, 'bin/pubctl.js')
const scripts = { bash: 'pubctl.bash', zsh: '_pubctl', fish: 'pubctl.fish' }
const scriptOf = (shell: Shell): string => join(root, 'completions', scripts[shell])

interface Desk {
  home: string
  env?: Record<string, string>
  /** What stands on PATH as pubctl, as a shell script; the built program without it. */
  stub?: string
  /** Whether a line is wiped once it was completed, for lines that would do something if they were entered. */
  isWiped?: boolean
  /** A line that the shell runs first, in bash alone. */
  before?: string
}

/**
 * Types each line into a real shell, has its last word completed, and gives what was offered, sorted and without the
 * slash of a folder. The lines are never entered as commands of pubctl, so that whatever runs was run by completing. The
 * shell stands in `home`.
 */
export function pressTab(shell: Shell, lines: readonly string[], desk: Desk): string[][] {
  const bin = temporaryFolder()
  const stub = desk.stub ?? `exec '${process.execPath}' '${program}' "$@"`
  writeFileSync(join(bin, 'pubctl'), `#!/bin/sh\n${stub}\n`, { mode: 0o755 })
  const env = {
    ...desk.env,
    HOME: desk.home,
    PATH: `${bin}:${process.env['PATH']}`,
    TERM: 'xterm',
  }
  const options = { cwd: desk.home, env, encoding: 'utf8', timeout: 30_000 } as const
  const offers = drivers[shell](lines, {
    ...options,
    isWiped: desk.isWiped ?? false,
    before: desk.before ?? '',
  })
  return lines.map((_, index) =>
    [...new Set((offers[index] ?? []).map(offer => offer.replace(/\/$/, '')))].sort(),
  )
}

interface Spawning {
  cwd: string
  env: Record<string, string>
  encoding: 'utf8'
  timeout: number
}
type Driver = (
  lines: readonly string[],
  options: Spawning & { isWiped: boolean; before: string },
) => string[][]

const drivers: Record<Shell, Driver> = {
  // Readline reads from a pipe as well. Alt-* puts all that is offered into the line, whose command is one that only
  // prints its arguments; so bash itself takes the quotes off, and would run what was offered without them.
  bash(lines, { isWiped, before, ...options }) {
    const setUp = [
      before,
      `source '${scriptOf('bash')}'`,
      'show() { printf "\\001"; printf "%s\\002" "$@"; printf "\\003"; }',
      'complete -F _pubctl show',
    ]
    const typed = lines.map(line => `${line.replace(/^pubctl/, 'show')}\u001b*${isWiped ? '\u0015' : ''}`)
    const { stdout } = spawnSync('bash', ['--norc', '--noprofile', '-i'], {
      ...options,
      input: `${[...setUp, ...typed].join('\n')}\nexit\n`,
    })
    return [...stdout.matchAll(/\u0001([^\u0003]*)\u0003/g)].map(([, words = ''], index) =>
      words
        .split('\u0002')
        .slice(0, -1)
        .slice((lines[index] ?? '').split(' ').length - 2),
    )
  },

  // The inner shell, at a pseudo-terminal, tells what is offered to it between two marks.
  zsh(lines, { isWiped: _, before: __, ...options }) {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'functions'))
    writeFileSync(join(folder, 'functions/_pubctl'), readFileSync(scriptOf('zsh')))
    writeFileSync(join(folder, 'inner.zsh'), innerZsh(join(folder, 'functions')))
    writeFileSync(join(folder, 'outer.zsh'), outerZsh(join(folder, 'inner.zsh')))
    const output = execFileSync('zsh', ['-f', join(folder, 'outer.zsh'), ...lines], options)
    return [...output.matchAll(/\u0001([^\u0002]*)\u0002/g)].map(([, offers = '']) =>
      [...offers.matchAll(/\u0003([^\u0004]*)\u0004/g)].map(([, offer = '']) => offer),
    )
  },

  fish(lines, { isWiped: _, before: __, ...options }) {
    const script = `source '${scriptOf('fish')}'; for line in $argv; complete -C "$line"; printf '\\1'; end`
    const output = execFileSync('fish', ['--no-config', '-c', script, ...lines], options)
    return output.split('\u0001').map(part =>
      part
        .split('\n')
        .filter(Boolean)
        .map(line => line.split('\t')[0] ?? ''),
    )
  },
}

const innerZsh = (functions: string): string =>
  String.raw`
PROMPT= RPROMPT=
unset zle_bracketed_paste
setopt no_auto_list no_auto_menu no_beep
fpath=('${functions}' $fpath)
autoload -Uz compinit && compinit -D -u
bindkey '^M' undefined-key
bindkey '^J' undefined-key
bindkey '^I' complete-word
bindkey '^U' kill-whole-line
# zsh forgets these after each completion.
before() { compprefuncs=(before); print -rn -- $'\x01' }
after() { comppostfuncs=(after); print -rn -- $'\x02' }
compprefuncs=(before) comppostfuncs=(after)
compadd() {
  if [[ "\${@[1,(i)(-|--)]}" == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  local hit
  builtin compadd -A hits "$@"
  for hit in $hits; do print -rn -- $'\x03'"$IPREFIX\${(Q)hit}"$'\x04'; done
  builtin compadd "$@"
}
stty -echo
print READY
`.replaceAll('\\$', '$')

const outerZsh = (inner: string): string =>
  String.raw`
zmodload zsh/zpty || exit 1
zpty inner zsh -f -i
zpty -w inner "source '${inner}'"
zpty -r inner answer '*READY'$'\r'
for line in "$@"; do
  zpty -n -w inner $'\x15'"$line"$'\t'
  zpty -r inner answer $'*\x02'
  print -r -- "$answer"
done
zpty -d inner
`.replaceAll('\\$', '$')
