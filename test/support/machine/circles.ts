/** What imports what, by name. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The largest groups of nodes that lead to each other, each group and their list sorted; no group for a node alone. */
export function circlesIn(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map(node => [node, reachableFrom(graph, node)]))
  const groups = new Set<string>()
  for (const [node, reached] of reach) {
    const circle = [...reached].filter(other => other !== node && reach.get(other)?.has(node))
    if (circle.length > 0) groups.add(JSON.stringify([node, ...circle].sort()))
  }
  return [...groups].sort().map(group => JSON.parse(group) as string[])
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const found = new Set<string>()
  const open = [...(graph.get(start) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue
    found.add(node)
    open.push(...(graph.get(node) ?? []))
  }
  return found
}
