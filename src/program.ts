import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import type { RunLine } from './agents/run-captured.ts'
import { about, factsOf } from './cli/about.ts'
import type { LoadTree } from './cli/command-tree.ts'
import { type Context, formatOf, type GlobalOptions, type Run } from './cli/context.ts'
import { createContext } from './cli/create-context.ts'
import { formatHelp } from './cli/format-help.ts'
import { withGlobalOptions } from './cli/global-options.ts'
import { nameFlags, nameOptionsInErrors } from './cli/name-flags.ts'
import { openWriters } from './cli/output/open-writers.ts'
import { showsFullTable } from './cli/output-kind.ts'
import { groups } from './groups.ts'
import { exitCodes, Failure, UsageFailure } from './system/errors.ts'
import type { World } from './system/world.ts'

/** Parses the arguments and runs their command. Throws its failure. `runLine` runs another command line to its exit code. */
export async function runProgram(argv: readonly string[], world: World, runLine: RunLine): Promise<void> {
  // The completion scripts call this whenever Tab is pressed. It is faster without the tree of commands.
  if (argv[0] === '__complete')
    return await (await import('./commands/complete.ts')).complete(argv.slice(1), world)
  const printed: string[] = []
  const program = createProgram(world, text => printed.push(text), runnerFor(world), runLine)
  const flush = async () => await openWriters(world, program.opts()).out.styled(printed.splice(0).join(''))
  try {
    await program.parseAsync(argv, { from: 'user' })
    await flush()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // A group without a verb prints the group's help for people. In a script it is an error.
    const isHelp =
      error.exitCode === 0 || (error.code === 'commander.help' && formatOf(program.opts()) === 'table')
    if (!isHelp) throw (await loadUsageErrors()).asUsageFailure(error, program)
    // The help of another command would hide that there is none of that name.
    if (error.code === 'commander.helpDisplayed' && hasUnknownCommand(program)) {
      const withoutHelp = argv.filter(word => word !== '--help' && word !== '-h')
      return await runProgram(withoutHelp, world, runLine)
    }
    await flush()
  }
}

/** The root command. Groups are loaded when they are used. `run` wraps the actions of all commands. */
export function createProgram(world: World, print: (text: string) => void, run: Run, runLine: RunLine) {
  const { paint, hasColour, width } = openWriters(world, {}).out
  const helpWidth = Math.min(width, 100)
  const root = withGlobalOptions(
    about(new Command('pubctl'), { does: 'reads', examples: rootExamples })
      .description('Run a hosted publishing service from the command line.')
      .helpCommand(false)
      .exitOverride()
      .showSuggestionAfterError()
      .configureOutput({
        writeOut: print,
        writeErr: print,
        outputError: () => undefined,
        // By default commander asks process.stdout, and opening that stream takes time.
        getOutHelpWidth: () => helpWidth,
        getErrHelpWidth: () => helpWidth,
        getOutHasColors: () => hasColour,
        getErrHasColors: () => hasColour,
      })
      .configureHelp({
        formatHelp,
        minWidthToWrap: 24,
        styleTitle: title => paint('bold', title),
      }),
  )
  nameOptionsInErrors(root)
  for (const { name, summary, heading } of groups)
    root.command(name).description(summary).helpGroup(`${heading}:`).helpCommand(false)
  const loaded = new Set<CommandUnknownOpts>()
  const load = async (group: CommandUnknownOpts) => {
    const entry = groups.find(({ name }) => name === group.name())
    if (!entry || loaded.has(group)) return
    loaded.add(group)
    const { register } = await entry.load()
    register(group as unknown as Command, run, loadTree, runLine)
    nameOptionsInErrors(group)
  }
  const loadTree: LoadTree = async name => {
    for (const group of root.commands) if (name === undefined || name === group.name()) await load(group)
    return root
  }
  root.hook('preSubcommand', async (_, group) => await load(group))
  root.allowExcessArguments().action(async () => {
    const [name] = root.args
    if (name !== undefined) throw (await loadUsageErrors()).unknownCommand(await loadTree(), name)
    // In a script nobody reads it.
    if (formatOf(root.opts()) !== 'table') root.help({ error: true })
    print((await import('./cli/first-screen.ts')).firstScreen(paint))
  })
  return root
}

/** Whether the first word that was given to the program or to a group is none of its commands. */
const hasUnknownCommand = (root: CommandUnknownOpts): boolean =>
  [root, ...root.commands].some(({ args: [word], commands }) => {
    const isWord = commands.length > 0 && word !== undefined && !word.startsWith('-')
    return isWord && !commands.some(command => command.name() === word)
  })

const rootExamples = [
  'profile setup',
  'publications upload book.epub --cover cover.jpg',
  'publications list --status live --json',
]

/** Wraps actions: creates the context, prints what `--dry-run` planned, and closes the context. */
function runnerFor(world: World): Run {
  const openSandbox = async (world: World) =>
    (await import('./commands/sandbox/embedded.ts')).openEmbeddedSandbox(world)
  return action =>
    async (...args) => {
      const command = args.at(-1) as Command
      const options = command.optsWithGlobals() as GlobalOptions
      const { changes } = factsOf(command)
      if (options.envelope && formatOf(options) !== 'json') {
        throw new UsageFailure('--envelope belongs to JSON, and the format is another', {
          hint: 'Add --json, or leave --envelope out.',
        })
      }
      if (options.exitStatus && options.query === undefined) {
        throw new UsageFailure('--exit-status needs --query', {
          hint: 'Add it, or leave --exit-status out.',
        })
      }
      const { nextCommands } = options.envelope ? await import('./cli/next-commands.ts') : {}
      const context = createContext(world, options, {
        openSandbox,
        command: nameOf(command),
        isPaged: !changes || options.dryRun === true,
        ...(nextCommands && { nextOf: end => nextCommands(command as unknown as CommandUnknownOpts, end) }),
      })
      try {
        await action(context, ...args)
        if (options.dryRun && changes) await showPlanned(context)
        if (options.exitStatus && !context.hasSelected()) throw nothingSelected()
      } catch (error) {
        // What could be planned is printed, although something else could not.
        if (options.dryRun && changes && context.steps.length > 0) await showPlanned(context)
        nameFlags(error, command)
        throw error
      } finally {
        await context.close()
      }
    }
}

const nothingSelected = (): Failure =>
  new Failure('--query selects nothing', { code: 'nothing_selected', exitCode: exitCodes.nothingSelected })

/** "publications upload". */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent as Command)} ${command.name()}` : command.name()

/** Prints the steps of an upload if there are any, and the requests that were not sent. */
async function showPlanned(context: Context): Promise<void> {
  const { steps, planned } = context
  // Loaded for a dry run alone, since every help would pay for it.
  const { requestView, stepView } = await import('./cli/output/dry-run-views.ts')
  if (steps.length === 0) return await context.list(requestView, [planned])
  await context.list(stepView, [steps])
  if (showsFullTable(context) && planned.length > 0) await context.list(requestView, [planned])
}

/** Loaded when something was mistyped, since every help would pay for it. */
const loadUsageErrors = async () => await import('./cli/usage-errors.ts')
