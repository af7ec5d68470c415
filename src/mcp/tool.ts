import type { CommandNode } from '../cli/command-tree.ts'
import { type InputSchema, nameOf, type Property, propertiesOf, schemaOf } from './schema.ts'

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
  /** The command of the same group that shows one of the things that this one deletes. */
  readonly shownBy: CommandNode | undefined
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
  }
}

/** The commands below a node that agents may run, as tools. */
export function toolsOf(root: CommandNode, allowed: ReadonlySet<Permission>): Tool[] {
  const mayWrite = allowed.has('write')
  const below = (node: CommandNode, group: CommandNode): Tool[] =>
    node.commands.length > 0
      ? node.commands.flatMap(each => below(each, node))
      : node.notForAgents === null
        ? [toolOf(node, group, mayWrite)]
        : []
  return below(root, root)
}

function toolOf(node: CommandNode, group: CommandNode, mayWrite: boolean): Tool {
  const properties = propertiesOf(node, { mayWrite })
  const isDeleting = node.does === 'deletes'
  return {
    ...{ name: nameOf(node.path), node },
    properties: isDeleting ? [...properties.map(withFewer), confirmation] : properties,
    needs: node.does === 'reads' ? undefined : isDeleting ? 'delete' : 'write',
    shownBy: isDeleting ? group.commands.find(({ path }) => /^\S+ get$/.test(path)) : undefined,
  }
}

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
    description: 'the text that the call without it answered; without it, nothing is deleted',
    maxLength: 100,
  },
  isRequired: false,
  place: { kind: 'apart' },
  words: [],
}

const effects = {
  reads: 'It only reads.',
  adds: 'It makes something new.',
  changes: 'It changes what is there.',
  deletes:
    'It deletes, which cannot be undone. The first call only shows what would be deleted, and answers a text that a second call has to repeat.',
} as const

/** A tool as agents are told of it. */
export function listed({ name, node, properties }: Tool): ListedTool {
  const { path, summary, does } = node
  return {
    ...{ name, title: summary },
    description: `${summary}. ${effects[does]} The same as the command: pubctl ${path}`,
    inputSchema: schemaOf(properties),
    annotations: {
      readOnlyHint: does === 'reads',
      destructiveHint: does === 'changes' || does === 'deletes',
    },
  }
}

/** What the tool takes that shows the rest of a long answer. */
export const nextProperties: readonly Property[] = [
  {
    name: 'page',
    schema: { type: 'string', description: 'the name that the earlier answer gave', maxLength: 100 },
    isRequired: true,
    place: { kind: 'apart' },
    words: [],
  },
]

/** The tool that shows the rest of a long answer. */
export const nextTool: ListedTool = {
  ...{ name: 'next', title: 'Go on with an answer' },
  description: 'Shows what comes after an answer that was too long for one. It only reads.',
  inputSchema: schemaOf(nextProperties),
  annotations: { readOnlyHint: true, destructiveHint: false },
}
