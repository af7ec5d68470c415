import type { Candidate, Shape } from './shape.ts'

/** The completion script for PowerShell 5 and newer. */
export const powershellScript = (shapes: readonly Shape[], topics: readonly Candidate[]): string => `\
# Completions of pubctl for PowerShell. Add this to your profile:
#   pubctl completions powershell | Out-String | Invoke-Expression
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it and its options, each with what it stands for; those options that take
# a value, each with where the value comes from; and where its arguments come from, of which the last one may come again
# when IsVariadic. These are lists, since the names in a table of PowerShell do not tell -v from -V.
$global:PubctlTable = @{
${shapes.map(row).join('\n')}
}
$global:PubctlTopics = ${list(topics.map(line))}
${engine}`

const row = ({ path, commands, options, positions, isVariadic }: Shape): string => `\
  ${quoted(path)} = @{
    Commands = ${list(commands.map(line))}
    Options = ${list(options.map(line))}
    Sources = ${list(options.flatMap(({ text, source }) => (source ? `${text} ${source}` : [])))}
    Arguments = ${list(positions)}
    IsVariadic = $${isVariadic}
  }`

const line = ({ text, description }: Candidate): string => `${text} ${description}`

const list = (texts: readonly string[]): string =>
  texts.length === 0 ? '@()' : `@(\n${texts.map(text => `      ${quoted(text)}`).join('\n')}\n    )`

/** In PowerShell's single quotes, only the quote has a meaning; typographic quotes count as quotes too. */
const quoted = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

const engine = `
Register-ArgumentCompleter -Native -CommandName pubctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # Words as they would reach the program, as far as that can be told without running anything.
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  $current = [string]$wordToComplete
  $before = @($typed)
  if ($current -ne '' -and $before.Count -gt 0) {
    $before = @(if ($before.Count -gt 1) { $before[0..($before.Count - 2)] })
  }

  # What stands behind a word in a list of the table.
  $find = {
    param($list, $word)
    foreach ($each in $list) {
      $text, $rest = $each -split ' ', 2
      if ($text -ceq $word) { return $rest }
    }
  }

  $root = $global:PubctlTable['']
  $at = $root
  $path = ''
  $position = 0
  $pending = $null
  $onlyArguments = $false
  $helping = $false
  foreach ($word in $before) {
    if ($pending) { $pending = $null }
    elseif ($onlyArguments) { $position++ }
    elseif ($word -ceq '--') { $onlyArguments = $true }
    elseif ($word.StartsWith('-')) { $pending = & $find ($at.Sources + $root.Sources) $word }
    elseif ($path -eq '' -and $word -ceq 'help') { $helping = $true }
    elseif (& $find $at.Commands $word) {
      $path = "$path $word".Trim()
      $at = $global:PubctlTable[$path]
    }
    else { $position++ }
  }

  $offer = {
    param($text, $description, $kind)
    if ($text.StartsWith($current, [System.StringComparison]::Ordinal)) {
      $tip = if ($description) { $description } else { $text }
      [System.Management.Automation.CompletionResult]::new($text, $text, $kind, $tip)
    }
  }
  $offerAll = {
    param($list, $kind)
    foreach ($each in $list) {
      $text, $description = $each -split ' ', 2
      & $offer $text $description $kind
    }
  }
  $values = {
    param($prefix, $source)
    if ($source.StartsWith('words:')) {
      foreach ($word in $source.Substring(6).Split(',')) { & $offer ($prefix + $word) $word 'ParameterValue' }
    } elseif ($source.StartsWith('ask:')) {
      $program = Get-Command pubctl -CommandType @('Application', 'ExternalScript') -ErrorAction SilentlyContinue | Select-Object -First 1
      if ($program) {
        foreach ($line in & $program '__complete' $source.Substring(4) @typed 2>$null) {
          $text, $description = $line -split [char]9, 2
          & $offer ($prefix + $text) $description 'ParameterValue'
        }
      }
    } elseif ($source -eq 'files' -or $source -eq 'folders') {
      foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($current.Substring($prefix.Length))) {
        if ($source -eq 'files' -or $found.ResultType -eq 'ProviderContainer') {
          [System.Management.Automation.CompletionResult]::new($prefix + $found.CompletionText, $found.ListItemText, $found.ResultType, $found.ToolTip)
        }
      }
    }
  }

  if ($pending) { & $values '' $pending }
  elseif (-not $onlyArguments -and $current -match '^(--[^=]+)=') {
    $option = $Matches[1]
    $source = & $find ($at.Sources + $root.Sources) $option
    if ($source) { & $values "$option=" $source }
  }
  elseif (-not $onlyArguments -and $current.StartsWith('-')) {
    if ($path -ne '') { & $offerAll $at.Options 'ParameterName' }
    & $offerAll $root.Options 'ParameterName'
  }
  elseif ($helping -or $at.Commands.Count -gt 0) {
    & $offerAll $at.Commands 'Command'
    if ($helping -and $path -eq '') { & $offerAll $global:PubctlTopics 'Text' }
  }
  else {
    $last = $at.Arguments.Count - 1
    if ($at.IsVariadic -and $position -gt $last) { $position = $last }
    if ($position -le $last) { & $values '' $at.Arguments[$position] }
  }
}
`
