import type { Command } from '@commander-js/extra-typings'
import type { RunLine } from './agents/run-captured.ts'
import type { LoadTree } from './cli/command-tree.ts'
import type { Run } from './cli/context.ts'
import type { Contract } from './service/contract/index.ts'

interface GroupModule {
  /** Adds the verbs to the group's command. */
  register(group: Command, run: Run, loadTree: LoadTree, runLine: RunLine): void
}

interface GroupDetails {
  readonly summary: string
  /** Where it is in the help; among the books by default. */
  readonly heading?: 'Books' | 'Readers' | 'Account' | 'This machine' | 'About pubctl'
  readonly load: () => Promise<GroupModule>
}

interface GroupEntry extends Required<GroupDetails> {
  readonly name: string
}

/**
 * All groups of commands, in the order of the help: one for each group of the service's resources, and others. A group's module is
 * loaded when one of its commands is used.
 */
const table = {
  publications: {
    summary: 'Upload books and manage publications',
    load: () => import('./commands/publications.ts'),
  },
  editions: {
    summary: 'Manage the versions of a publication',
    load: () => import('./commands/editions.ts'),
  },
  uploads: {
    summary: 'Upload step by step, and resume unfinished uploads',
    load: () => import('./commands/uploads/index.ts'),
  },
  'metadata-keys': {
    summary: 'Manage custom metadata keys',
    load: () => import('./commands/metadata-keys.ts'),
  },
  catalogue: {
    summary: 'Compare books and feeds with what the service has, and bring it up to date',
    load: () => import('./commands/catalogue/index.ts'),
  },
  receipts: {
    summary: 'Join the receipts of uploads that several machines share',
    load: () => import('./commands/receipts.ts'),
  },
  watch: {
    summary: 'Upload what is put into a folder',
    load: () => import('./commands/watch.ts'),
  },
  queue: {
    summary: 'Let many machines carry out a plan, through a PostgreSQL database',
    load: () => import('./commands/queue/index.ts'),
  },
  worker: {
    summary: 'Carry out steps of a queue, beside other workers',
    load: () => import('./commands/worker.ts'),
  },
  inspect: {
    summary: 'Read type, metadata, cover and problems from local files',
    load: () => import('./commands/inspect/index.ts'),
  },
  pack: {
    summary: 'Pack audiobooks',
    load: () => import('./commands/pack.ts'),
  },
  assets: {
    summary: 'Manage fonts and other assets',
    heading: 'Readers',
    load: () => import('./commands/assets/index.ts'),
  },
  domains: {
    summary: 'Manage the domains that readers may be embedded on',
    heading: 'Readers',
    load: () => import('./commands/domains.ts'),
  },
  'reader-instances': {
    summary: 'Manage reader configurations',
    heading: 'Readers',
    load: () => import('./commands/reader-instances.ts'),
  },
  'reader-users': {
    summary: 'Show who reads, and their progress',
    heading: 'Readers',
    load: () => import('./commands/reader-users.ts'),
  },
  analytics: {
    summary: 'Show what is read',
    heading: 'Readers',
    load: () => import('./commands/analytics/index.ts'),
  },
  users: {
    summary: 'Manage the users of the organisation',
    heading: 'Account',
    load: () => import('./commands/users.ts'),
  },
  apikeys: {
    summary: 'Manage your API keys',
    heading: 'Account',
    load: () => import('./commands/apikeys.ts'),
  },
  whoami: {
    summary: 'Show which key and address are used, and what the key may do',
    heading: 'Account',
    load: () => import('./commands/whoami.ts'),
  },
  doctor: {
    summary: 'Check this machine, the network and the service, and say what to do',
    heading: 'Account',
    load: () => import('./commands/doctor/index.ts'),
  },
  api: {
    summary: 'Make any request to the service',
    heading: 'Account',
    load: () => import('./commands/api.ts'),
  },
  mcp: {
    summary: 'Offer the commands to agents, by the Model Context Protocol',
    heading: 'Account',
    load: () => import('./commands/mcp.ts'),
  },
  profile: {
    summary: 'Manage the saved addresses and keys of services',
    heading: 'This machine',
    load: () => import('./commands/profile/index.ts'),
  },
  sandbox: {
    summary: 'Run the service on this machine, to try things out',
    heading: 'This machine',
    load: () => import('./commands/sandbox/index.ts'),
  },
  help: {
    summary: 'Show the help of a command, or of environment, exit-codes or formatting',
    heading: 'About pubctl',
    load: () => import('./commands/help.ts'),
  },
  commands: {
    summary: 'Print every command with its arguments and options as JSON',
    heading: 'About pubctl',
    load: () => import('./commands/commands.ts'),
  },
  completions: {
    summary: 'Print a script that completes commands in your shell',
    heading: 'About pubctl',
    load: () => import('./commands/completions.ts'),
  },
} satisfies Record<keyof Contract, GroupDetails> & Record<string, GroupDetails>

export const groups: readonly GroupEntry[] = Object.entries(table).map(([name, details]) => ({
  name,
  heading: 'Books',
  ...details,
}))
