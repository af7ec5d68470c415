import type { Candidate, Shape } from './shape.ts'

/** The completion script for zsh, to be found as `_pubctl` in a folder of `$fpath`, or sourced. */
export const zshScript = (shapes: readonly Shape[], topics: readonly Candidate[]): string => `\
#compdef pubctl
# Completions of pubctl for zsh. Put this into a folder of $fpath as _pubctl, or load it with:
#   source <(pubctl completions zsh)
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it, its options, those of them that take a value with where the value
# comes from, and where its arguments come from; the last argument may come again when it is followed by "...".
_pubctl_table() {
  case $1 in
${shapes.map(row).join('\n')}
    *) commands=() options=() sources=() arguments=() ;;
  esac
}
${engine.replace('TOPICS', () => topics.map(described).join(' '))}`

const row = ({ path, commands, options, positions, isVariadic }: Shape): string => `\
    '${path}')
      commands=(${commands.map(described).join(' ')})
      options=(${options.map(described).join(' ')})
      sources=(${options.flatMap(({ text, source }) => (source ? `${text} ${source}` : [])).join(' ')})
      arguments=(${[...positions, ...(isVariadic ? ['...'] : [])].join(' ')}) ;;`

/** `'text:description'`, as _describe wants it. */
const described = ({ text, description }: Candidate): string =>
  `'${text.replaceAll(':', '\\:')}:${description.replaceAll("'", "'\\''")}'`

const engine = String.raw`
# Offers the values of a source.
_pubctl_values() {
  local -a values
  local line
  case $1 in
    words:*)
      values=(\${(s:,:)1#words:})
      compadd -a values ;;
    ask:*)
      # What was typed goes along as it stands: the quotes are taken off, and nothing is expanded.
      for line in \${(f)"$(command pubctl __complete \${1#ask:} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
        values+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
      done
      _describe -t values value values ;;
    files) _files ;;
    folders) _files -/ ;;
    *) _message 'a value' ;;
  esac
}

_pubctl() {
  local -a commands options arguments root_options names
  local -A sources root_sources
  local chain='' pending='' only_arguments='' helping='' word
  local -i i at=1
  _pubctl_table ''
  root_options=($options) root_sources=(\${(kv)sources})
  for ((i = 2; i < CURRENT; i++)); do
    word=\${(Q)words[i]}
    names=(\${commands%%:*})
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $only_arguments ]]; then at+=1
    elif [[ $word == -- ]]; then only_arguments=1
    elif [[ $word == -* ]]; then pending=\${sources[$word]:-\${root_sources[$word]}}
    elif [[ -z $chain && $word == help ]]; then helping=1
    elif (( \${names[(Ie)$word]} )); then
      chain="\${chain:+$chain }$word"
      _pubctl_table $chain
    else at+=1
    fi
  done

  if [[ -n $pending ]]; then _pubctl_values $pending
  elif [[ -z $only_arguments && $PREFIX == --*=* ]]; then
    word=\${PREFIX%%=*}
    pending=\${sources[$word]:-\${root_sources[$word]}}
    compset -P '*='
    [[ -n $pending ]] && _pubctl_values $pending
  elif [[ -z $only_arguments && $PREFIX == -* ]]; then
    [[ -n $chain ]] && _describe -o -t options option options
    _describe -o -t global-options 'global option' root_options
  elif [[ -n $helping ]] || (( $#commands )); then
    [[ -n $helping && -z $chain ]] && commands+=(TOPICS)
    _describe -t commands command commands
  else
    if [[ $arguments[-1] == ... ]] && (( at >= $#arguments )); then at=$(( $#arguments - 1 )); fi
    (( at <= $#arguments )) && _pubctl_values $arguments[at]
  fi
}

if [[ $funcstack[1] == _pubctl ]]; then _pubctl "$@"; else compdef _pubctl pubctl; fi
`.replaceAll('\\$', '$')
