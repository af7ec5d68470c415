import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import { readText } from '../cli/read-text.ts'
import { type Parameter, pairs, parameters } from '../cli/repeatable.ts'
import type { Context, Run } from '../context.ts'
import { NetworkFailure, UsageFailure } from '../errors.ts'
import type { View } from '../output/view.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']
const hints = { 404: 'Check the path and the ids in it; "pubctl sandbox openapi" has every path there is.' }
const view: View = { columns: [], fields: () => new Set(['*']), empty: '' }

export function register(group: Command, run: Run): void {
  about(
    group
      .description('Make any request to the service and print its answer as JSON')
      .argument('<method>', 'GET, POST, PATCH or DELETE')
      .argument('<path>', 'a path of the service, such as /v1/publications'),
    {
      examples: [
        'api GET /v1/publications --param limit=5',
        'api GET /v1/publications --paginate --query "items[].title"',
        'api POST /v1/domains --field domain=reader.example.org',
      ],
      changes: true,
    },
  )
    .addOption(parameters('--param <key=value>', 'a query parameter'))
    .addOption(pairs('--field <key=value>', 'a field of the JSON body, as text; key:=value gives JSON'))
    .option('--input <file>', 'the JSON body from a file, or from standard input with -')
    .option('--paginate', 'follow the pages and print them as one answer')
    .option('--include', 'print the status and headers on standard error first')
    .action(
      run(async (context, methodText, path, { param = [], field, input, paginate, include }) => {
        const method = methodText.toUpperCase()
        if (!methods.includes(method))
          throw new UsageFailure(`"${methodText}" is not a method`, {
            hint: `Use ${methods.slice(0, 5).join(', ')}.`,
          })
        if (paginate && method !== 'GET') throw new UsageFailure('--paginate goes with GET alone')
        await context.check(view)
        const body = await bodyFor(context, method, field, input)
        const target = withParameters(path, param)
        if (context.options.dryRun && method !== 'GET' && method !== 'HEAD') {
          const settings = await context.settings()
          return context.plan({
            method,
            url: (settings.isSandbox ? 'sandbox:' : settings.baseUrl) + target,
            ...(body === undefined ? {} : { body }),
          })
        }
        const answer = await ask(context, { method, path: target, body }, include === true)
        if (answer === undefined) return
        await context.json(paginate ? await followPages(context, target, answer, include === true) : answer)
      }),
    )
}

async function ask(
  context: Context,
  request: { method: string; path: string; body?: unknown },
  include: boolean,
): Promise<Record<string, unknown> | undefined> {
  const client = await context.client()
  const response = await client.send(request)
  if (include) {
    const headers = Object.entries(response.headers).map(
      ([name, value]) => `${name}: ${[value].flat().join(', ')}\n`,
    )
    await context.err.write(`HTTP ${response.status}\n${headers.join('')}\n`)
  }
  if (request.method === 'HEAD' || response.status === 204) return undefined
  const { readReply } = await import('../client/reply.ts')
  return await readReply(response, client.name, hints)
}

/** All pages as one answer: the first one, with the items of all pages and without a token. */
async function followPages(
  context: Context,
  path: string,
  first: Record<string, unknown>,
  include: boolean,
): Promise<Record<string, unknown>> {
  const items: unknown[] = []
  const tokens = new Set<string>()
  for (let page: Record<string, unknown> | undefined = first; page !== undefined; ) {
    if (Array.isArray(page['items'])) for (const item of page['items']) items.push(item)
    const token: unknown = page['nextToken']
    if (typeof token !== 'string' || token === '') break
    if (tokens.has(token)) {
      throw new NetworkFailure(
        'the service gave the same continuation token twice, so the listing would never end',
        { code: 'bad_reply' },
      )
    }
    tokens.add(token)
    page = await ask(
      context,
      { method: 'GET', path: withParameters(path, [['nextToken', token]], true) },
      include,
    )
  }
  return {
    ...first,
    ...(Array.isArray(first['items']) ? { items } : {}),
    ...('nextToken' in first ? { nextToken: null } : {}),
  }
}

/** A path with query parameters. Throws UsageFailure for anything but a path below /v1, so the key cannot go to another host. */
function withParameters(path: string, parameters: readonly Parameter[], isReplacing = false): string {
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) {
    throw new UsageFailure(`"${path}" is not a path of the service`, {
      hint: 'Write it like /v1/publications; the address is the one of the profile.',
    })
  }
  const url = new URL(path, 'http://service.invalid')
  if (url.host !== 'service.invalid' || !url.pathname.startsWith('/v1/')) {
    throw new UsageFailure(`"${path}" does not lie below /v1`, { hint: 'Write it like /v1/publications.' })
  }
  for (const [name, value] of parameters) {
    if (isReplacing) url.searchParams.set(name, value)
    else url.searchParams.append(name, value)
  }
  return url.pathname + url.search
}

async function bodyFor(
  { world }: Context,
  method: string,
  fields: Readonly<Record<string, unknown>> | undefined,
  input: string | undefined,
): Promise<unknown> {
  if (fields === undefined && input === undefined) return undefined
  if (method === 'GET' || method === 'HEAD') {
    throw new UsageFailure(`a ${method} has no body`, { hint: 'Use --param for query parameters.' })
  }
  if (fields !== undefined && input !== undefined)
    throw new UsageFailure('--field and --input both give the body; use one')
  if (fields !== undefined) return fields
  const text = await readText(input as string, world)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageFailure(`--input is not JSON: ${(error as Error).message}`)
  }
}
