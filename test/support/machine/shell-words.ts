/** The commands of a pipeline, each as the words that a POSIX shell would make of it; redirections are left out. */
export function pipelineOf(line: string): string[][] {
  const commands: string[][] = [[]]
  let isTarget = false
  for (const [token] of line.matchAll(/\||>+|(?:"[^"]*"|'[^']*'|[^\s"'|>])+/g)) {
    if (token === '|') commands.push([])
    else if (/^>/.test(token)) isTarget = true
    else if (isTarget) isTarget = false
    else commands.at(-1)?.push(token.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
  }
  return commands
}
