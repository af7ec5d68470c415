// Reads what the files of a source import of each other. A room is a folder, or a file, that lies directly in it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** @typedef {{ target: string, isDynamic: boolean }} Import What a file imports, by its path in the source. */
/** @typedef {ReadonlyMap<string, ReadonlySet<string>>} Graph What imports what, by name. */

/**
 * What each file of a source imports, types and what is loaded later included.
 * @param {string} source
 * @returns {Map<string, Import[]>}
 */
export function readImports(source) {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => file.replaceAll('\\', '/'))
  return new Map(files.map(file => [file, importsOf(source, file)]))
}

/**
 * @param {string} source
 * @param {string} file
 * @returns {Import[]}
 */
function importsOf(source, file) {
  const text = readFileSync(join(source, file), 'utf8')
  const forms = [
    { form: /^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm, isDynamic: false },
    { form: /^import '(\.[^']+)'/gm, isDynamic: false },
    { form: /import\('(\.[^']+)'\)/g, isDynamic: true },
  ]
  return forms.flatMap(({ form, isDynamic }) =>
    [...text.matchAll(form)].map(([, path = '']) => ({
      target: relative(source, join(source, dirname(file), path)).replaceAll('\\', '/'),
      isDynamic,
    })),
  )
}

/**
 * The room that a file of the source is in.
 * @param {string} file
 */
export const roomOf = file => /** @type {string} */ (file.split('/')[0])

/**
 * What the files and folders directly within a folder import of each other; '' is the source itself.
 * @param {ReadonlyMap<string, readonly Import[]>} imports
 * @returns {Graph}
 */
export function graphWithin(imports, folder = '') {
  const prefix = folder === '' ? '' : `${folder}/`
  const childOf = (/** @type {string} */ file) => prefix + file.slice(prefix.length).split('/')[0]
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const [file, found] of imports) {
    if (!file.startsWith(prefix)) continue
    const child = childOf(file)
    const reached = graph.get(child) ?? new Set()
    graph.set(child, reached)
    for (const { target } of found)
      if (target.startsWith(prefix) && !target.startsWith('../') && childOf(target) !== child)
        reached.add(childOf(target))
  }
  return graph
}

/**
 * The largest groups of nodes that lead to each other, each group and their list sorted; no group for a node alone.
 * @param {Graph} graph
 */
export function circlesIn(graph) {
  const reach = new Map([...graph.keys()].map(node => [node, reachableFrom(graph, node)]))
  const groups = new Set()
  for (const [node, reached] of reach) {
    const circle = [...reached].filter(other => other !== node && reach.get(other)?.has(node))
    if (circle.length > 0) groups.add(JSON.stringify([node, ...circle].sort()))
  }
  return [...groups].sort().map(group => /** @type {string[]} */ (JSON.parse(group)))
}

/**
 * @param {Graph} graph
 * @param {string} start
 */
function reachableFrom(graph, start) {
  /** @type {Set<string>} */
  const found = new Set()
  const open = [...(graph.get(start) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue
    found.add(node)
    open.push(...(graph.get(node) ?? []))
  }
  return found
}
