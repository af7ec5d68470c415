# Completions of pubctl for bash. Load them with:  source <(pubctl completions bash)
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it, its options, those of them that take a value with where the value
# comes from, and where its arguments come from; the last argument may come again when it is followed by "...".
_pubctl_table() {
  case "$1" in
    '')
      commands='publications editions uploads metadata-keys catalogue inspect assets domains reader-instances reader-users analytics users apikeys whoami doctor api profile sandbox help commands completions'
      options='--profile -p --base-url --api-key-file --output -o --json --fields --query --quiet -q --verbose -v --color --no-input --yes -y --dry-run --timeout --version -V --help -h'
      sources='--profile=ask:profiles -p=ask:profiles --base-url=none --api-key-file=files --output=words:table,json,ndjson,csv -o=words:table,json,ndjson,csv --fields=none --query=none --color=words:auto,always,never --timeout=none'
      arguments='' ;;
    'publications')
      commands='list stats get upload create update delete wait'
      options=''
      sources=''
      arguments='' ;;
    'publications list')
      commands=''
      options='--limit --all --search --status --format --collection --sort --asc --desc'
      sources='--limit=none --search=none --status=words:draft,live --format=words:epub-reflowable,epub-fixed,pdf,audio --collection=none --sort=words:title,author,createdAtIso'
      arguments='' ;;
    'publications stats')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'publications get')
      commands=''
      options=''
      sources=''
      arguments='ask:publications' ;;
    'publications upload')
      commands=''
      options='--title --author --language --description --isbn --publisher --metadata --cover --collection --sample-item --internal --no-wait --no-check --strict --concurrency --stop-on-error --continue --report --manifest --encoding --recursive --skip-existing --if-changed'
      sources='--title=none --author=none --language=none --description=none --isbn=none --publisher=none --metadata=ask:metadata --cover=files --collection=none --sample-item=none --concurrency=none --report=files --manifest=files --encoding=none --if-changed=words:edition,new,fail'
      arguments='files ...' ;;
    'publications create')
      commands=''
      options='--title --author --language --description --isbn --publisher --metadata --cover --collection --sample-item --internal --request-id --no-check --strict'
      sources='--title=none --author=none --language=none --description=none --isbn=none --publisher=none --metadata=ask:metadata --cover=files --collection=none --sample-item=none --request-id=none'
      arguments='files' ;;
    'publications update')
      commands=''
      options='--language --description --sample-item --no-sample-items --internal --no-internal'
      sources='--language=none --description=none --sample-item=none'
      arguments='ask:publications' ;;
    'publications delete')
      commands=''
      options=''
      sources=''
      arguments='ask:publications ...' ;;
    'publications wait')
      commands=''
      options=''
      sources=''
      arguments='ask:publications ...' ;;
    'editions')
      commands='list get upload create wait'
      options=''
      sources=''
      arguments='' ;;
    'editions list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='ask:publications' ;;
    'editions get')
      commands=''
      options=''
      sources=''
      arguments='ask:publications ask:editions' ;;
    'editions upload')
      commands=''
      options='--title --author --language --description --isbn --publisher --metadata --cover --collection --sample-item --internal --no-wait --no-check --strict'
      sources='--title=none --author=none --language=none --description=none --isbn=none --publisher=none --metadata=ask:metadata --cover=files --collection=none --sample-item=none'
      arguments='ask:publications files' ;;
    'editions create')
      commands=''
      options='--title --author --language --description --isbn --publisher --metadata --cover --collection --sample-item --internal --request-id --no-check --strict'
      sources='--title=none --author=none --language=none --description=none --isbn=none --publisher=none --metadata=ask:metadata --cover=files --collection=none --sample-item=none --request-id=none'
      arguments='ask:publications files' ;;
    'editions wait')
      commands=''
      options=''
      sources=''
      arguments='ask:publications ask:editions' ;;
    'uploads')
      commands='create put list resume forget'
      options=''
      sources=''
      arguments='' ;;
    'uploads create')
      commands=''
      options='--cover --request-id'
      sources='--cover=files --request-id=none'
      arguments='files' ;;
    'uploads put')
      commands=''
      options='--session --cover'
      sources='--session=files --cover=files'
      arguments='files' ;;
    'uploads list')
      commands=''
      options='--limit --all --finished'
      sources='--limit=none'
      arguments='' ;;
    'uploads resume')
      commands=''
      options='--concurrency --stop-on-error --continue --report --no-wait'
      sources='--concurrency=none --report=files'
      arguments='ask:uploads ...' ;;
    'uploads forget')
      commands=''
      options=''
      sources=''
      arguments='ask:uploads ...' ;;
    'metadata-keys')
      commands='list create archive restore delete'
      options=''
      sources=''
      arguments='' ;;
    'metadata-keys list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'metadata-keys create')
      commands=''
      options='--label'
      sources='--label=none'
      arguments='none' ;;
    'metadata-keys archive')
      commands=''
      options=''
      sources=''
      arguments='ask:metadata-keys ...' ;;
    'metadata-keys restore')
      commands=''
      options=''
      sources=''
      arguments='ask:metadata-keys ...' ;;
    'metadata-keys delete')
      commands=''
      options='--archive'
      sources=''
      arguments='ask:metadata-keys ...' ;;
    'catalogue')
      commands='apply index'
      options=''
      sources=''
      arguments='' ;;
    'catalogue apply')
      commands=''
      options='--no-wait --concurrency --stop-on-error --continue --report'
      sources='--concurrency=none --report=files'
      arguments='none' ;;
    'catalogue index')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'inspect')
      commands=''
      options='--strict'
      sources=''
      arguments='files ...' ;;
    'assets')
      commands='list upload rename delete'
      options=''
      sources=''
      arguments='' ;;
    'assets list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'assets upload')
      commands=''
      options='--type'
      sources='--type=none'
      arguments='files ...' ;;
    'assets rename')
      commands=''
      options=''
      sources=''
      arguments='ask:assets none' ;;
    'assets delete')
      commands=''
      options=''
      sources=''
      arguments='ask:assets ...' ;;
    'domains')
      commands='list get create update delete'
      options=''
      sources=''
      arguments='' ;;
    'domains list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'domains get')
      commands=''
      options=''
      sources=''
      arguments='ask:domains' ;;
    'domains create')
      commands=''
      options='--description'
      sources='--description=none'
      arguments='none' ;;
    'domains update')
      commands=''
      options='--description'
      sources='--description=none'
      arguments='ask:domains' ;;
    'domains delete')
      commands=''
      options=''
      sources=''
      arguments='ask:domains ...' ;;
    'reader-instances')
      commands='list get copy delete'
      options=''
      sources=''
      arguments='' ;;
    'reader-instances list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'reader-instances get')
      commands=''
      options=''
      sources=''
      arguments='ask:reader-instances' ;;
    'reader-instances copy')
      commands=''
      options=''
      sources=''
      arguments='ask:reader-instances' ;;
    'reader-instances delete')
      commands=''
      options=''
      sources=''
      arguments='ask:reader-instances ...' ;;
    'reader-users')
      commands='list get'
      options=''
      sources=''
      arguments='' ;;
    'reader-users list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'reader-users get')
      commands=''
      options=''
      sources=''
      arguments='ask:reader-users' ;;
    'analytics')
      commands='scope popular publication activity'
      options=''
      sources=''
      arguments='' ;;
    'analytics scope')
      commands=''
      options='--from --to --granularity'
      sources='--from=none --to=none --granularity=words:total,month'
      arguments='' ;;
    'analytics popular')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'analytics publication')
      commands=''
      options='--from --to --granularity'
      sources='--from=none --to=none --granularity=words:total,month'
      arguments='ask:publications' ;;
    'analytics activity')
      commands=''
      options='--from --to'
      sources='--from=none --to=none'
      arguments='ask:publications' ;;
    'users')
      commands='list delete-me'
      options=''
      sources=''
      arguments='' ;;
    'users list')
      commands=''
      options='--limit --all --search'
      sources='--limit=none --search=none'
      arguments='' ;;
    'users delete-me')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'apikeys')
      commands='list get update delete'
      options=''
      sources=''
      arguments='' ;;
    'apikeys list')
      commands=''
      options='--limit --all'
      sources='--limit=none'
      arguments='' ;;
    'apikeys get')
      commands=''
      options=''
      sources=''
      arguments='ask:apikeys' ;;
    'apikeys update')
      commands=''
      options='--name --scope --status'
      sources='--name=none --scope=words:read,write,delete --status=words:active,inactive'
      arguments='ask:apikeys' ;;
    'apikeys delete')
      commands=''
      options=''
      sources=''
      arguments='ask:apikeys ...' ;;
    'whoami')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'doctor')
      commands=''
      options='--session'
      sources='--session=files'
      arguments='' ;;
    'api')
      commands=''
      options='--param --field --input --paginate --include'
      sources='--param=none --field=none --input=files'
      arguments='none none' ;;
    'profile')
      commands='setup list show use remove'
      options=''
      sources=''
      arguments='' ;;
    'profile setup')
      commands=''
      options='--key-command --allow-http --multi-value --no-verify'
      sources='--key-command=none --multi-value=words:repeat,comma'
      arguments='ask:profiles' ;;
    'profile list')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'profile show')
      commands=''
      options=''
      sources=''
      arguments='ask:profiles' ;;
    'profile use')
      commands=''
      options=''
      sources=''
      arguments='ask:profiles' ;;
    'profile remove')
      commands=''
      options=''
      sources=''
      arguments='ask:profiles' ;;
    'sandbox')
      commands='start status reset book openapi'
      options=''
      sources=''
      arguments='' ;;
    'sandbox start')
      commands=''
      options='--port --data-dir --processing-delay --session-life --fault'
      sources='--port=none --data-dir=folders --processing-delay=none --session-life=none --fault=none'
      arguments='' ;;
    'sandbox status')
      commands=''
      options='--data-dir'
      sources='--data-dir=folders'
      arguments='' ;;
    'sandbox reset')
      commands=''
      options='--data-dir'
      sources='--data-dir=folders'
      arguments='' ;;
    'sandbox book')
      commands=''
      options='--title --force'
      sources='--title=none'
      arguments='files' ;;
    'sandbox openapi')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'help')
      commands=''
      options=''
      sources=''
      arguments='none ...' ;;
    'commands')
      commands=''
      options=''
      sources=''
      arguments='' ;;
    'completions')
      commands=''
      options=''
      sources=''
      arguments='words:bash,zsh,fish,powershell' ;;
    *) commands='' options='' sources='' arguments='' ;;
  esac
}

# Finds where the value of an option comes from, in $source; fails for an option that takes none.
_pubctl_source() {
  source=" $sources $root_sources "
  [[ $source == *" $1="* ]] || return 1
  source=${source#*" $1="}
  source=${source%% *}
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
  if [[ $word == "~"* && ${word%%/*} =~ ^~[A-Za-z0-9._-]*$ && $word == */* ]]; then
    home=${word%%/*}/
    word=${word#*/}
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
      for word in ${2#words:}; do _pubctl_offer "$1" "$word"; done ;;
    ask:*)
      while IFS=$'\t' read -r word _; do
        _pubctl_offer "$1" "$word"
      done < <(command pubctl __complete "${2#ask:}" "${typed[@]}" 2>/dev/null) ;;
    files | folders)
      local kind=-f
      [[ $2 == folders ]] && kind=-d
      local quotes=''
      compopt -o filenames 2>/dev/null || quotes=1
      while IFS= read -r word; do
        [[ -n $quotes ]] && { _pubctl_quote || continue; }
        COMPREPLY+=("$1$word")
      done < <(compgen "$kind" -- "${current#"$1"}") ;;
  esac
}

_pubctl() {
  local IFS=$' \t\n' typed=() line=$COMP_LINE piece i last
  # bash takes words apart at "=" and ":"; a piece that no blank stands before belongs to the word before it.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    last=$((${#typed[@]} - 1))
    if ((i > 0)) && [[ -n $line && $line != [[:blank:]]* ]]; then typed[last]=${typed[last]}$piece; else typed+=("$piece"); fi
    line=${line#"${line%%[![:blank:]]*}"}
    line=${line#"$piece"}
  done
  typed=("${typed[@]:1}")

  local commands options sources arguments root_options root_sources source word
  _pubctl_table ''
  root_options=$options root_sources=$sources
  local path='' position=0 pending='' only_arguments='' helping=''
  last=$((${#typed[@]} - 1))
  local current=${typed[last]}
  for ((i = 0; i < last; i++)); do
    word=${typed[i]}
    if [[ -n $pending ]]; then pending=''
    elif [[ -n $only_arguments ]]; then ((position++))
    elif [[ $word == -- ]]; then only_arguments=1
    elif [[ $word == -* ]]; then _pubctl_source "$word" && pending=$source
    elif [[ -z $path && $word == help ]]; then helping=1
    elif [[ " $commands " == *" $word "* ]]; then path=${path:+$path }$word && _pubctl_table "$path"
    else ((position++))
    fi
  done

  COMPREPLY=()
  if [[ -n $pending ]]; then _pubctl_values '' "$pending"
  elif [[ -z $only_arguments && $current == --*=* ]]; then
    _pubctl_source "${current%%=*}" && _pubctl_values "${current%%=*}=" "$source"
  elif [[ -z $only_arguments && $current == -* ]]; then
    [[ -z $path ]] && options=''
    for word in $options $root_options; do _pubctl_offer '' "$word"; done
  elif [[ -n $helping || -n $commands ]]; then
    for word in $commands; do _pubctl_offer '' "$word"; done
    if [[ -n $helping && -z $path ]]; then for word in environment exit-codes formatting; do _pubctl_offer '' "$word"; done; fi
  else
    local all=($arguments) count
    count=${#all[@]}
    if ((count > 1)) && [[ ${all[count - 1]} == ... ]] && ((position > count - 2)); then position=$((count - 2)); fi
    ((position < count)) && _pubctl_values '' "${all[position]}"
  fi

  # What bash took apart it puts before the answer itself.
  local before=${current%"${current##*[=:]}"}
  if [[ -n $before && "$COMP_WORDBREAKS" == *"${before: -1}"* ]]; then
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$before"}; done
  fi
  return 0
}
complete -F _pubctl pubctl
