import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Context, Run } from '../../cli/context.ts'
import { parseDuration } from '../../cli/option-types.ts'
import { jsonText } from '../../cli/output/json.ts'
import type { View } from '../../cli/output/view.ts'
import { repeated } from '../../cli/repeatable.ts'
import { UsageFailure } from '../../system/errors.ts'
import { isThereAlready } from '../../system/is-there-already.ts'
import { shellWord } from '../../system/shell-word.ts'
import { dataDirOf, faultsOf } from './embedded.ts'

const keysView: View = {
  columns: [{ field: 'name' }, { field: 'key', isCutLast: true }, { field: 'scopes' }, { field: 'status' }],
  fields: () => new Set(['name', 'key', 'scopes', 'status']),
  empty: 'The sandbox has no keys.',
}

const statusView: View = {
  columns: [
    { field: 'dataDir' },
    { field: 'exists' },
    { field: 'publications', kind: 'count' },
    { field: 'bytes', kind: 'bytes' },
    { field: 'keys.name', label: 'key names', isDetail: true },
    { field: 'keys.key', label: 'keys', isDetail: true },
  ],
  fields: () =>
    new Set([
      'dataDir',
      'exists',
      'publications',
      'bytes',
      'keys',
      'keys.name',
      'keys.key',
      'keys.scopes',
      'keys.status',
    ]),
  empty: 'There is no sandbox.',
}

const bookView: View = {
  columns: [{ field: 'file' }, { field: 'bytes', kind: 'bytes' }],
  fields: () => new Set(['file', 'bytes']),
}

export function register(group: Command, run: Run): void {
  about(
    group.command('start').description('Run the sandbox as a server of its own until it is interrupted'),
    {
      does: 'changes',
      notForAgents: 'it runs until it is stopped',
      examples: [
        'sandbox start --port 8787',
        'sandbox start --data-dir ./sandbox --json',
        'sandbox start --fault 503=0.1 --fault reset=0.05 --fault slow=2s',
        'sandbox start --variant current-at-creation',
      ],
      isLocal: true,
    },
  )
    .option('--port <port>', 'the port to listen on; a free one if it is not given', parsePort)
    .option('--data-dir <folder>', 'where to keep its data')
    .option('--processing-delay <duration>', 'how long each processing step takes', parseDuration)
    .option('--session-life <duration>', 'how long an upload session can be used', parseDuration)
    .addOption(
      repeated(
        '--fault <kind=share>',
        'what goes wrong on purpose, with its share of the requests: reset, 503, 429, 500, cut or stall; slow takes a duration',
      ),
    )
    .addOption(
      repeated(
        '--variant <name>',
        "behave in the other way that the service's document allows: current-at-creation or new-object-keys",
      ),
    )
    .action(
      run(async (context, { port, dataDir, processingDelay, sessionLife, fault, variant }) => {
        const { parseVariants, startService: startSandbox } = await import('../../sandbox/index.ts')
        const faults = await faultsOf(context.world, fault)
        const sandbox = await startSandbox({
          dataDir: dataDirOf(context.world, dataDir),
          faults,
          variants: parseVariants(variant ?? [], '--variant'),
          ...(port === undefined ? {} : { port }),
          ...(processingDelay === undefined ? {} : { processingDelayMs: processingDelay }),
          ...(sessionLife === undefined ? {} : { sessionSeconds: Math.ceil(sessionLife / 1000) }),
        }).catch((error: NodeJS.ErrnoException) => {
          if (!port || error.syscall !== 'listen') throw error
          throw new UsageFailure(`pubctl cannot listen on port ${port} (${error.code})`, {
            hint: 'Choose another --port.',
          })
        })
        try {
          await announce(context, sandbox, faults)
          await untilInterrupted(context.world.signal)
        } finally {
          await sandbox.close()
        }
      }),
    )

  about(group.command('status').description('Show where the sandbox keeps its data, and its keys'), {
    does: 'reads',
    notForAgents: 'it prints keys',
    examples: ['sandbox status', 'sandbox status --json'],
    isLocal: true,
  })
    .option('--data-dir <folder>', 'where it keeps its data')
    .action(
      run(async (context, { dataDir }) => {
        await context.check(statusView)
        const { sandboxStatus } = await import('../../sandbox/index.ts')
        await context.item(statusView, sandboxStatus(dataDirOf(context.world, dataDir)))
      }),
    )

  about(group.command('reset').description('Delete everything in the sandbox and start over'), {
    does: 'deletes',
    notForAgents: 'the sandbox is for people to try things out',
    examples: ['sandbox reset --yes'],
    changes: true,
    isLocal: true,
  })
    .option('--data-dir <folder>', 'where it keeps its data')
    .action(
      run(async (context, { dataDir }) => {
        const folder = dataDirOf(context.world, dataDir)
        if (context.options.dryRun) return context.plan({ method: 'RESET', url: `sandbox:${folder}` })
        if (
          !context.options.yes &&
          !(await context.ask.confirm(`Delete everything in the sandbox at ${folder}?`, '--yes'))
        ) {
          throw new UsageFailure('nothing was deleted', { code: 'not_confirmed' })
        }
        const { resetSandbox } = await import('../../sandbox/index.ts')
        await resetSandbox(folder)
        await clearCompletionCache(context, folder)
        await context.note(`The sandbox at ${folder} has been reset.`)
      }),
    )

  about(
    group
      .command('book')
      .argument('[file]', 'the file to write (default: first.epub)')
      .description('Write a small EPUB to try uploads with'),
    {
      does: 'adds',
      notForAgents: 'the sandbox is for people to try things out',
      examples: ['sandbox book', 'sandbox book first.epub --title "My First Book"'],
      changes: true,
      isLocal: true,
    },
  )
    .option('--title <text>', 'the title of the book')
    .option('--force', 'replace the file if there is one')
    .action(
      run(async (context, file = 'first.epub', { title, force }) => {
        await context.check(bookView)
        const { makeExampleEpub } = await import('../../sandbox/seed/example-epub/index.ts')
        const book = await makeExampleEpub(title === undefined ? {} : { title })
        const { checkWritable, unwritable, writeFile, writeNewFile } = await import(
          '../../system/write-file.ts'
        )
        if (context.options.dryRun) {
          if (!force && (await isThere(file))) throw isThereAlready(file)
          checkWritable(file)
          return context.plan({ method: 'WRITE', url: `file:${file}` })
        }
        try {
          ;(force ? writeFile : writeNewFile)(file, book, { isPrivate: false })
        } catch (error) {
          throw (error as NodeJS.ErrnoException).code === 'EEXIST'
            ? isThereAlready(file)
            : unwritable(file, error)
        }
        await context.item(bookView, { file, bytes: book.length })
        await context.note(`Upload it: pubctl --profile sandbox publications upload ${shellWord(file)}`)
      }),
    )

  about(group.command('openapi').description("Print the service's OpenAPI 3.1 document"), {
    does: 'reads',
    examples: ['sandbox openapi > openapi.json'],
    isLocal: true,
  }).action(
    run(async ({ out, format }) => {
      const { loadZod } = await import('../../service/contract/load-zod.ts')
      await loadZod()
      const { openApiDocument } = await import('../../service/contract/openapi.ts')
      await out.json(`${JSON.stringify(openApiDocument(), undefined, format === 'ndjson' ? undefined : 2)}\n`)
    }),
  )
}

/** Completion must not offer what the reset deleted. */
async function clearCompletionCache({ directories, world }: Context, folder: string): Promise<void> {
  if (resolve(folder) !== dataDirOf(world)) return
  const { openCompletionCache, sandboxCacheKey } = await import('../../cli/completion-cache.ts')
  openCompletionCache(directories.cacheDir, sandboxCacheKey(directories.dataDir), world.clock.now).clear()
}

async function announce(
  context: Context,
  { baseUrl, dataDir, keys }: { baseUrl: string; dataDir: string; keys: unknown[] },
  faults: Awaited<ReturnType<typeof faultsOf>>,
) {
  if (context.format !== 'table')
    return await context.out.json(`${jsonText({ baseUrl, dataDir, keys }, false)}\n`)
  await context.out.write(`The sandbox listens on ${baseUrl} and keeps its data in ${dataDir}.\n`)
  await context.list(keysView, [keys])
  // Users must not look for the cause of failures that are injected.
  const named = [...faults.shares].map(([kind, share]) => `${kind}=${share}`)
  if (faults.slow > 0) named.push(`slow=${faults.slow / 1000}s`)
  if (named.length > 0) await context.note(`It fails on purpose: ${named.join(', ')}.`)
  await context.note('Press Ctrl-C to stop it.')
}

/** Resolves when the user stops the server, which is not a failure. */
async function untilInterrupted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageFailure(`"${text}" is not a port`, { hint: 'A port is a number up to 65535.' })
}

const isThere = async (file: string): Promise<boolean> =>
  await (await import('../../system/files.ts')).stat(file).then(
    () => true,
    () => false,
  )
