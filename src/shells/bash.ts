import type { Candidate, Shape } from './shape.ts'

/** The completion script for bash 3.2 and newer, which macOS still has. */
export const bashScript = (shapes: readonly Shape[], topics: readonly Candidate[]): string => `\
# Completions of pubctl for bash. Load them with:  source <(pubctl completions bash)
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it, its options, those of them that take a value with where the value
# comes from, and where its arguments come from; the last argument may come again when it is followed by "...".
_pubctl_table() {
  case "$1" in
${shapes.map(row).join('\n')}
    *) commands='' options='' sources='' arguments='' ;;
  esac
}
${engine.replace('TOPICS', () => topics.map(({ text }) => text).join(' '))}`

const row = ({ path, commands, options, positions, isVariadic }: Shape): string => `\
    '${path}')
      commands='${commands.map(({ text }) => text).join(' ')}'
      options='${options.map(({ text }) => text).join(' ')}'
      sources='${options.flatMap(({ text, source }) => (source ? `${text}=${source}` : [])).join(' ')}'
      arguments='${[...positions, ...(isVariadic ? ['...'] : [])].join(' ')}' ;;`

const engine = String.raw`
# Finds where the value of an option comes from, in $source; fails for an option that takes none.
_pubctl_source() {
  source=" $sources $root_sources "
  [[ $source == *" $1="* ]] || return 1
  source=\${source#*" $1="}
  source=\${source%% *}
}

# Offers a word when it goes on from what was typed. Nothing here is ever expanded or run: words are only compared.
_pubctl_offer() {
  local word=$2
  [[ $1$word == "$current"* ]] || return
  printf -v word %q "$word"
  COMPREPLY+=("$1$word")
}

# Quotes the file name in $word as a word of a command, which bash before 4 does not do by itself. Fails for a name with
# control characters: within quotation marks that are open, no quoting makes it harmless.
_pubctl_quote() {
  local home=''
  [[ $word == *[[:cntrl:]]* ]] && return 1
  if [[ $word == "~"* && \${word%%/*} =~ ^~[A-Za-z0-9._-]*$ && $word == */* ]]; then
    home=\${word%%/*}/
    word=\${word#*/}
    [[ -z $word ]] && word=$home && return
  fi
  printf -v word %q "$word"
  word=$home$word
}

# Offers the values of a source; $1 stands before each, as --output= does.
_pubctl_values() {
  local word
  case $2 in
    words:*)
      local IFS=,
      for word in \${2#words:}; do _pubctl_offer "$1" "$word"; done ;;
    ask:*)
      while IFS=$'\t' read -r word _; do
        _pubctl_offer "$1" "$word"
      done < <(command pubctl __complete "\${2#ask:}" "\${typed[@]}" 2>/dev/null) ;;
    files | folders)
      local kind=-f
      [[ $2 == folders ]] && kind=-d
      local quotes=''
      compopt -o filenames 2>/dev/null || quotes=1
      while IFS= read -r word; do
        [[ -n $quotes ]] && { _pubctl_quote || continue; }
        COMPREPLY+=("$1$word")
      done < <(compgen "$kind" -- "\${current#"$1"}") ;;
  esac
}

_pubctl() {
  local IFS=$' \t\n' typed=() line=$COMP_LINE piece i last
  # bash takes words apart at "=" and ":"; a piece that no blank stands before belongs to the word before it.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    last=$((\${#typed[@]} - 1))
    if ((i > 0)) && [[ -n $line && $line != [[:blank:]]* ]]; then typed[last]=\${typed[last]}$piece; else typed+=("$piece"); fi
    line=\${line#"\${line%%[![:blank:]]*}"}
    line=\${line#"$piece"}
  done
  typed=("\${typed[@]:1}")

  local commands options sources arguments root_options root_sources source word
  _pubctl_table ''
  root_options=$options root_sources=$sources
  local path='' position=0 pending='' only_arguments='' helping=''
  last=$((\${#typed[@]} - 1))
  local current=\${typed[last]}
  for ((i = 0; i < last; i++)); do
    word=\${typed[i]}
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $only_arguments ]]; then ((position++))
    elif [[ $word == -- ]]; then only_arguments=1
    elif [[ $word == -* ]]; then _pubctl_source "$word" && pending=$source
    elif [[ -z $path && $word == help ]]; then helping=1
    elif [[ " $commands " == *" $word "* ]]; then path=\${path:+$path }$word && _pubctl_table "$path"
    else ((position++))
    fi
  done

  COMPREPLY=()
  if [[ -n $pending ]]; then _pubctl_values '' "$pending"
  elif [[ -z $only_arguments && $current == --*=* ]]; then
    _pubctl_source "\${current%%=*}" && _pubctl_values "\${current%%=*}=" "$source"
  elif [[ -z $only_arguments && $current == -* ]]; then
    [[ -z $path ]] && options=''
    for word in $options $root_options; do _pubctl_offer '' "$word"; done
  elif [[ -n $helping || -n $commands ]]; then
    for word in $commands; do _pubctl_offer '' "$word"; done
    if [[ -n $helping && -z $path ]]; then for word in TOPICS; do _pubctl_offer '' "$word"; done; fi
  else
    local all=($arguments) count
    count=\${#all[@]}
    if ((count > 1)) && [[ \${all[count - 1]} == ... ]] && ((position > count - 2)); then position=$((count - 2)); fi
    ((position < count)) && _pubctl_values '' "\${all[position]}"
  fi

  # What bash took apart it puts before the answer itself.
  local before=\${current%"\${current##*[=:]}"}
  if [[ -n $before && "$COMP_WORDBREAKS" == *"\${before: -1}"* ]]; then
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"$before"}; done
  fi
  return 0
}
complete -F _pubctl pubctl
`.replaceAll('\\$', '$')
