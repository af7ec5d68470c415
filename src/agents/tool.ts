import type { CommandNode } from '../cli/command-tree.ts'
import { type InputSchema, type Property, propertiesOf, propertyName, schemaOf } from './schema.ts'

/** What the one who starts the server permits beside reading. */
export const permissions = ['write', 'delete'] as const
export type Permission = (typeof permissions)[number]

/** A command as a tool of the protocol. */
export interface Tool {
  readonly name: string
  readonly node: CommandNode
  readonly properties: readonly Property[]
  /** What must be permitted for it, beside reading. */
  readonly needs: Permission | undefined
  /** The command of the same group that shows one of the things that this one deletes at the service, or lists them. */
  readonly shownBy: CommandNode | undefined
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema
  readonly annotations: {
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
  }
}

/** The commands below the root that agents may run, as tools; `groups` are those that are offered, all if it is undefined. */
export function toolsOf(
  root: CommandNode,
  allowed: ReadonlySet<Permission>,
  groups: readonly string[] | undefined,
): Tool[] {
  const mayWrite = allowed.has('write')
  const below = (node: CommandNode, group: CommandNode): Tool[] =>
    node.commands.length > 0
      ? node.commands.flatMap(each => below(each, node))
      : node.notForAgents === null
        ? [toolOf(node, group, mayWrite)]
        : []
  return root.commands
    .filter(({ path }) => groups === undefined || groups.includes(path))
    .flatMap(each => below(each, root))
}

function toolOf(node: CommandNode, group: CommandNode, mayWrite: boolean): Tool {
  const properties = propertiesOf(node, { mayWrite })
  const isDeleting = node.does === 'deletes'
  return {
    ...{ name: propertyName(node.path), node },
    properties: isDeleting ? [...properties.map(withFewer), confirmation] : properties,
    needs: node.does === 'reads' ? undefined : isDeleting ? 'delete' : 'write',
    shownBy: isDeleting && node.changes ? showing(group) : undefined,
  }
}

/** The command of a group that shows one of its things, or else all. */
const showing = ({ commands }: CommandNode): CommandNode | undefined =>
  ['get', 'list'].map(verb => commands.find(({ path }) => path.split(' ')[1] === verb)).find(Boolean)

/** How many things one call deletes at most, so that all of them can be shown before. */
const mostDeleted = 20

const withFewer = (property: Property): Property =>
  property.place.kind === 'argument' && property.schema.type === 'array'
    ? { ...property, schema: { ...property.schema, maxItems: mostDeleted } }
    : property

const confirmation: Property = {
  name: 'confirmation',
  schema: {
    type: 'string',
    description: 'the text that the first answer gives',
    maxLength: 100,
  },
  isRequired: false,
  isListed: true,
  place: { kind: 'apart' },
  words: [],
}

/** Tools as agents are told of them. What the protocol assumes of a tool that says nothing is left out. */
export function listed(tools: readonly Tool[]): ListedTool[] {
  const told = new Set<string>()
  return tools.map(({ name, node: { summary, does }, properties }) => ({
    name,
    description: summary,
    inputSchema: schemaOf(properties, told),
    annotations: does === 'reads' ? { readOnlyHint: true } : { destructiveHint: does !== 'adds' },
  }))
}

/** What the tool takes that shows the rest of a long answer. */
export const nextProperties: readonly Property[] = [
  {
    name: 'page',
    schema: { type: 'string', description: 'as the answer says', maxLength: 100 },
    isRequired: true,
    isListed: true,
    place: { kind: 'apart' },
    words: [],
  },
]

/** The tool that shows the rest of a long answer. */
export const nextTool: ListedTool = {
  name: 'next',
  description: 'Show the rest of a long answer',
  inputSchema: schemaOf(nextProperties, new Set()),
  annotations: { readOnlyHint: true },
}
