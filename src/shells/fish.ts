import type { Candidate, Shape } from './shape.ts'

/** The completion script for fish 3 and newer. */
export const fishScript = (shapes: readonly Shape[], topics: readonly Candidate[]): string => `\
# Completions of pubctl for fish. Save them as ~/.config/fish/completions/pubctl.fish, or load them with:
#   pubctl completions fish | source
# Written by pubctl itself from its commands; changes made here are lost.

# Prints what may follow a command, a line each: "command", "option" or "argument", the word or the place of the
# argument, where its values come from, and what it stands for.
function __pubctl_table
    switch "$argv"
${shapes.map(row).join('\n')}
    end
end
${engine.replace('TOPICS', () => topics.map(({ text, description }) => `            printf '%s\\t%s\\n' ${text} ${quoted(description)}`).join('\n'))}`

function row({ path, commands, options, positions, isVariadic }: Shape): string {
  const lines = [
    ...commands.map(({ text, description }) => ['command', text, '-', description]),
    ...options.map(({ text, source, description }) => ['option', text, source ?? '-', description]),
    ...positions.map((source, index) => ['argument', String(index + 1), source, '-']),
    ...(isVariadic ? [['argument', '...', positions.at(-1) ?? 'none', '-']] : []),
  ]
  const printed = lines.map(line => `            ${line.map(quoted).join(' ')}`).join(' \\\n')
  return `        case ${quoted(path)}\n            printf '%s\\t%s\\t%s\\t%s\\n' \\\n${printed}`
}

/** In fish's single quotes, only the quote and the backslash have a meaning. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const engine = String.raw`
# Prints the values of a source; what was typed before the value, as --output= is, stands before each.
function __pubctl_values --argument-names before source
    set -l typed (commandline -opc) (commandline -ct)
    switch $source
        case 'words:*'
            printf "$before%s\n" (string split , -- (string replace words: '' -- $source))
        case 'ask:*'
            # What was typed goes along as arguments; nothing of it, or of the answer, is ever run.
            for line in (command pubctl __complete (string replace ask: '' -- $source) $typed[2..-1] 2>/dev/null)
                printf '%s%s\n' $before $line
            end
        case files
            for line in (__fish_complete_path (string sub --start (math (string length -- "$before") + 1) -- $typed[-1]))
                printf '%s%s\n' $before $line
            end
        case folders
            for line in (__fish_complete_directories (string sub --start (math (string length -- "$before") + 1) -- $typed[-1]))
                printf '%s%s\n' $before $line
            end
    end
end

function __pubctl
    set -l root (__pubctl_table '')
    set -l table $root
    set -l current (commandline -ct)
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l chain
    set -l at 1
    set -l pending
    set -l only_arguments no
    set -l helping no
    for word in $typed
        if test (count $pending) -gt 0
            set pending
        else if test $only_arguments = yes
            set at (math $at + 1)
        else if test "x$word" = x--
            set only_arguments yes
        else if string match -q -- '-*' $word
            set pending (__pubctl_source $word $table $root)
        else if test "x$word" = xhelp -a (count $chain) -eq 0
            set helping yes
        else if contains -- $word (string replace -rf '^command\t([^\t]*)\t.*$' '$1' -- $table)
            set -a chain $word
            set table (__pubctl_table "$chain")
        else
            set at (math $at + 1)
        end
    end

    if test (count $pending) -gt 0
        __pubctl_values '' $pending
    else if test $only_arguments = no; and string match -q -- '--*=*' $current
        set -l option (string replace -r '=.*$' '' -- $current)
        set pending (__pubctl_source $option $table $root)
        test (count $pending) -gt 0; and __pubctl_values "$option=" $pending
    else if test $only_arguments = no; and string match -q -- '-*' $current
        test (count $chain) -eq 0; and set table
        string replace -rf '^option\t([^\t]*)\t[^\t]*\t(.*)$' '$1\t$2' -- $table $root
    else if string match -qr '^command\t' -- $table; or test $helping = yes
        string replace -rf '^command\t([^\t]*)\t[^\t]*\t(.*)$' '$1\t$2' -- $table
        if test $helping = yes -a (count $chain) -eq 0
TOPICS
        end
    else
        set -l source (string replace -rf "^argument\t($at|\.\.\.)\t([^\t]*)\t.*\$" '$2' -- $table)
        test (count $source) -gt 0; and __pubctl_values '' $source[1]
    end
end

# Prints where the value of an option comes from, if it takes one.
function __pubctl_source --argument-names option
    string replace -rf "^option\t"(string escape --style=regex -- $option)"\t([^-\t][^\t]*)\t.*\$" '$1' -- $argv[2..-1] | head -n 1
end

complete -c pubctl -f -a '(__pubctl)'
`
