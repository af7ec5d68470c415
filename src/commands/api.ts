import type { Command } from '@commander-js/extra-typings'
import { about } from '../cli/about.ts'
import type { Context, Run } from '../cli/context.ts'
import type { View } from '../cli/output/view.ts'
import { readText } from '../cli/read-text.ts'
import { type Parameter, pairs, parameters } from '../cli/repeatable.ts'
import { sameTokenAgain } from '../service/client/pages.ts'
import { UsageFailure } from '../system/errors.ts'
import { parseExactly } from '../system/exact-json.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']
const hints = { 404: 'Check the path and the ids in it; "pubctl sandbox openapi" has every path there is.' }
const view: View = { columns: [], fields: () => new Set(['*']) }

export function register(group: Command, run: Run): void {
  about(
    group
      .description('Make any request to the service and print its answer as JSON')
      .argument('<method>', 'GET, POST, PATCH or DELETE')
      .argument('<path>', 'a path of the service, such as /v1/publications'),
    {
      does: 'deletes',
      notForAgents: 'what it does depends on the request',
      examples: [
        'api GET /v1/publications --param limit=5',
        'api GET /v1/publications --paginate --query "items[].title"',
        'api POST /v1/domains --field domain=reader.example.org',
      ],
      asks: false,
    },
  )
    .addOption(parameters('--param <key=value>', 'a query parameter'))
    .addOption(pairs('--field <key=value>', 'a field of the JSON body, as text; key:=value gives JSON'))
    .option('--input <file>', 'the JSON body from a file, or from standard input with -')
    .option('--paginate', 'follow the pages and print them as one answer; with ndjson, a line for each item')
    .option('--include', 'print the status and headers on standard error first')
    .action(
      run(async (context, methodText, path, { param = [], field, input, paginate, include }) => {
        const method = methodText.toUpperCase()
        if (!methods.includes(method))
          throw new UsageFailure(`"${methodText}" is not a method`, {
            hint: `Use ${methods.slice(0, 5).join(', ')}.`,
          })
        if (paginate && method !== 'GET') throw new UsageFailure('--paginate works with GET only')
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
        if (paginate) return await context.answers(view, answersFrom(context, target, include === true))
        const answer = await ask(context, { method, path: target, body }, include === true)
        if (answer !== undefined) await context.json(answer)
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
  const { readReply } = await import('../service/client/reply.ts')
  return await readReply(response, client.name, hints)
}

/** The answer to a path and those that its continuation tokens lead to. */
async function* answersFrom(
  context: Context,
  path: string,
  include: boolean,
): AsyncGenerator<Record<string, unknown>> {
  const tokens = new Set<string>()
  for (let target = path; ; ) {
    const answer = await ask(context, { method: 'GET', path: target }, include)
    if (answer === undefined) return
    yield answer
    const token: unknown = answer['nextToken']
    if (typeof token !== 'string' || token === '') return
    if (tokens.has(token)) throw sameTokenAgain()
    tokens.add(token)
    target = withParameters(path, [['nextToken', token]], true)
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
    throw new UsageFailure(`"${path}" is not below /v1`, { hint: 'Write it like /v1/publications.' })
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
    return parseExactly(text)
  } catch (error) {
    throw new UsageFailure(`--input is not JSON: ${(error as Error).message}`)
  }
}
