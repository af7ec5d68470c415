import type { Candidate, Shape } from './shape.ts'

/** The completion script for PowerShell 5 and newer. */
export const powershellScript = (shapes: readonly Shape[], topics: readonly Candidate[]): string => `\
# Completions of pubctl for PowerShell. Add this to your profile:
#   pubctl completions powershell | Out-String | Invoke-Expression
# Written by pubctl itself from its commands; changes made here are lost.

# What may follow a command: the commands below it and its options with what they stand for, those options that take a
# value with where the value comes from, and where its arguments come from; the last one may come again when IsVariadic.
$script:PubctlTable = @{
${shapes.map(row).join('\n')}
}
$script:PubctlTopics = ${hash(topics)}
${engine}`

const row = ({ path, commands, options, positions, isVariadic }: Shape): string => `\
  ${quoted(path)} = @{
    Commands = ${hash(commands)}
    Options = ${hash(options)}
    Sources = @{ ${options.flatMap(({ text, source }) => (source ? `${quoted(text)} = ${quoted(source)}` : [])).join('; ')} }
    Arguments = @(${positions.map(quoted).join(', ')})
    IsVariadic = $${isVariadic}
  }`

const hash = (candidates: readonly Candidate[]): string =>
  candidates.length === 0
    ? '[ordered]@{}'
    : `[ordered]@{\n${candidates.map(({ text, description }) => `      ${quoted(text)} = ${quoted(description)}`).join('\n')}\n    }`

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

  $root = $script:PubctlTable['']
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
    elseif ($word.StartsWith('-')) {
      $pending = if ($at.Sources.ContainsKey($word)) { $at.Sources[$word] } else { $root.Sources[$word] }
    }
    elseif ($path -eq '' -and $word -ceq 'help') { $helping = $true }
    elseif ($at.Commands.Contains($word)) {
      $path = "$path $word".Trim()
      $at = $script:PubctlTable[$path]
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
  $values = {
    param($prefix, $source)
    if ($source.StartsWith('words:')) {
      foreach ($word in $source.Substring(6).Split(',')) { & $offer ($prefix + $word) $word 'ParameterValue' }
    } elseif ($source.StartsWith('ask:')) {
      $program = Get-Command pubctl -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
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
    $source = if ($at.Sources.ContainsKey($option)) { $at.Sources[$option] } else { $root.Sources[$option] }
    if ($source) { & $values "$option=" $source }
  }
  elseif (-not $onlyArguments -and $current.StartsWith('-')) {
    if ($path -ne '') { foreach ($each in $at.Options.GetEnumerator()) { & $offer $each.Key $each.Value 'ParameterName' } }
    foreach ($each in $root.Options.GetEnumerator()) { & $offer $each.Key $each.Value 'ParameterName' }
  }
  elseif ($helping -or $at.Commands.Count -gt 0) {
    foreach ($each in $at.Commands.GetEnumerator()) { & $offer $each.Key $each.Value 'Command' }
    if ($helping -and $path -eq '') { foreach ($each in $script:PubctlTopics.GetEnumerator()) { & $offer $each.Key $each.Value 'Text' } }
  }
  else {
    $last = $at.Arguments.Count - 1
    if ($at.IsVariadic -and $position -gt $last) { $position = $last }
    if ($position -le $last) { & $values '' $at.Arguments[$position] }
  }
}
`
