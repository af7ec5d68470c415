import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { exampleCover } from '../../../src/sandbox/seed/example-epub/cover.ts'
import { makeExampleEpub } from '../../../src/sandbox/seed/example-epub/index.ts'
import { writePlan } from '../catalogues/plan-file.ts'
import { temporaryFolder } from './pubctl.ts'

/** The files and ids that the command lines below name. */
export interface Things {
  readonly book: string
  readonly cover: string
  readonly font: string
  /** An upload session as `uploads create --json` prints it. */
  readonly session: string
  /** A plan for another service. */
  readonly plan: string
  readonly publication: string
  readonly edition: string
  readonly asset: string
  readonly metadataKey: string
  readonly domain: string
  readonly readerInstance: string
  readonly readerUser: string
  readonly apiKey: string
  /** An upload that the journal of this machine knows as not finished. */
  readonly unfinished: string
}

/** One realistic way to call a command. */
export interface Invocation {
  /** The words that name the command, as `pubctl commands` gives them. */
  readonly command: string
  readonly args: readonly string[]
  /** Whether it talks to the service. */
  readonly isLocal?: boolean
  readonly stdin?: string
  /** Whether its result is no resource: text or a script that `--json` does not change. */
  readonly isText?: boolean
  /** Whether it warns of something in the sandbox, in a line of its own in JSON. */
  readonly warns?: boolean
  /** The exit code it ends with against the sandbox when all is well; 0 without it. */
  readonly code?: number
  /** Whether it prints nothing that has fields. */
  readonly hasNoFields?: boolean
  /** Whether it runs until it is stopped. */
  readonly isEndless?: boolean
}

/** Realistic command lines for every command; the first of each command's is its simplest. */
export function invocations(at: Things): Invocation[] {
  const line = (
    command: string,
    args: readonly string[] = [],
    more: Partial<Invocation> = {},
  ): Invocation => ({
    command,
    args: [...command.split(' '), ...args],
    ...more,
  })
  const local = { isLocal: true }
  const sheet = join(temporaryFolder(), 'sheet.csv')
  writeFileSync(sheet, `file,title\n${resolve(at.book)},A Title of Its Own\n`)
  return [
    line('publications list'),
    line(
      'publications list',
      '--search a --status live,draft --format pdf --sort title --desc --limit 3'.split(' '),
    ),
    line('publications list', ['--all', '--collection', 'col_1']),
    line('publications list', ['--sort', 'title', '--asc']),
    line('publications stats'),
    line('publications get', [at.publication]),
    line('publications upload', [at.book, '--cover', at.cover]),
    line('publications upload', [at.book, '--again', '--title', 'U']),
    line('publications upload', [at.book, '--no-wait', '--cover', 'none', '--title', 'T', '--author', 'A']),
    line('publications create', [at.book]),
    line('publications wait', [at.publication]),
    line('publications update', [
      at.publication,
      '--language',
      'French',
      '--description',
      'About',
      '--internal',
    ]),
    line('publications update', [
      at.publication,
      '--no-internal',
      '--sample-item',
      'one',
      '--sample-item',
      'two',
    ]),
    line('publications update', [at.publication, '--no-sample-items']),
    line('publications delete', [at.publication, '--yes']),
    line('publications delete', [at.publication, 'pub_missing', '--yes'], { code: 10 }),
    line('editions list', [at.publication]),
    line('editions get', [at.publication, at.edition]),
    line('editions upload', [at.publication, at.book]),
    line('editions create', [at.publication, at.book]),
    line('editions wait', [at.publication, at.edition]),
    line('uploads create', [at.book]),
    line('uploads create', [at.book, '--cover', at.cover]),
    line('uploads put', [at.book, '--session', at.session]),
    line('metadata-keys list'),
    line('metadata-keys create', ['colour', '--label', 'Colour']),
    line('metadata-keys archive', [at.metadataKey]),
    line('metadata-keys restore', [at.metadataKey]),
    line('metadata-keys delete', [at.metadataKey, '--archive', '--yes']),
    line('metadata-keys delete', [at.metadataKey, '--yes'], { code: 6 }),
    line('assets list'),
    line('assets upload', [at.font]),
    line('assets upload', [at.font, '--type', 'stylesheet']),
    line('assets rename', [at.asset, 'Other.woff2']),
    line('assets delete', [at.asset, '--yes']),
    line('domains list'),
    line('domains get', [at.domain]),
    line('domains create', ['new.example.org', '--description', 'new']),
    line('domains update', [at.domain, '--description', 'changed']),
    line('domains delete', [at.domain, '--yes']),
    line('reader-instances list'),
    line('reader-instances list', ['--limit', '1']),
    line('reader-instances get', [at.readerInstance]),
    line('reader-instances copy', [at.readerInstance]),
    line('reader-instances delete', [at.readerInstance, '--yes']),
    line('reader-users list', ['--all']),
    line('reader-users list', ['--limit', '2']),
    line('reader-users get', [at.readerUser]),
    line('analytics scope'),
    line('analytics scope', ['--from', '2026-01', '--to', '2026-06', '--granularity', 'total']),
    line('analytics popular'),
    line('analytics popular', ['--limit', '2']),
    line('analytics popular', ['--trend', '--to', '2026-02']),
    line('analytics scope', ['--no-chart']),
    line('analytics publication', [at.publication, '--granularity', 'month']),
    line('analytics activity', [at.publication, '--from', '2026-03-01', '--to', '2026-03-31']),
    line('analytics activity', [at.publication, '--from', '2026-01-01', '--to', '2026-03-31']),
    line('analytics report', ['--out', join(dirname(at.book), 'analytics.html'), '--readers']),
    line('users list'),
    line('users list', ['--search', 'a']),
    line('users delete-me', ['--yes']),
    line('apikeys list', [], { warns: true }),
    line('apikeys get', [at.apiKey]),
    line('apikeys update', [at.apiKey, '--name', 'Renamed', '--scope', 'read', '--status', 'active']),
    line('apikeys delete', [at.apiKey, '--yes']),
    line('whoami'),
    line('doctor'),
    line('api', ['GET', '/v1/publications', '--param', 'limit=2', '--paginate'], { hasNoFields: true }),
    line('api', ['POST', '/v1/domains', '--field', 'domain=api.example.org', '--include'], {
      hasNoFields: true,
    }),
    line('api', ['GET', '/v1/reader-instances', '--include', '--paginate'], { hasNoFields: true }),
    line('catalogue plan', [sheet]),
    line('catalogue plan', [sheet, '--reissue', '--orphans', '--refresh', '0s'], { code: 0 }),
    // For another address: that of a sandbox is its folder, which differs from machine to machine.
    line('catalogue apply', [at.plan], { ...local, code: 2 }),
    line('catalogue revert', [at.plan], { ...local, code: 2 }),
    line('catalogue accept', [at.plan, '--action', 'blocked', '--accepted', `${at.plan}.accepted`], {
      ...local,
      code: 0,
    }),
    line('catalogue drift', [sheet]),
    line('catalogue export', ['--out', join(dirname(at.book), 'export.csv')]),
    line('catalogue export'),
    line('catalogue index', [], local),
    line('catalogue index', ['--refresh']),
    // A session is no receipt.
    line('receipts merge', [at.session, '--out', join(dirname(at.book), 'all.json')], { ...local, code: 2 }),
    line('watch', [temporaryFolder(), '--once', '--quiet-period', '0s']),
    // Without a database.
    ...['load', 'status', 'retry', 'limit'].map(verb =>
      line(`queue ${verb}`, verb === 'load' ? [at.plan] : [], { ...local, code: 2 }),
    ),
    line('worker', ['--once'], { ...local, code: 2 }),
    line('inspect', [at.book], local),
    line('inspect', [at.book, at.book, at.session], { ...local, code: 2 }),
    line('pack audiobook', [at.book, '--out', join(dirname(at.book), 'book.lpf')], { ...local, code: 2 }),
    line('uploads list', [], local),
    line('uploads resume'),
    line('uploads forget', [at.unfinished], local),
    line(
      'profile setup',
      ['spare', '--base-url', 'https://api.example.com', '--api-key-file', '-', '--no-verify'],
      {
        ...local,
        stdin: 'canary-spare-key-0123456789\n',
      },
    ),
    line('profile list', [], local),
    line('profile show', ['sandbox'], local),
    line('profile use', ['sandbox'], { ...local, hasNoFields: true }),
    line('profile remove', ['nobody', '--yes'], { ...local, code: 2, hasNoFields: true }),
    line('sandbox status', [], local),
    line('sandbox book', [join(at.book, '..', 'sample.epub'), '--force'], local),
    line('sandbox openapi', [], { ...local, hasNoFields: true }),
    line('sandbox reset', ['--yes'], { ...local, hasNoFields: true }),
    line('sandbox start', [], { ...local, isEndless: true }),
    line('mcp', [], { ...local, isEndless: true }),
    line('commands', [], local),
    line('help', [], { ...local, isText: true }),
    line('help', ['publications', 'list'], { ...local, isText: true }),
    ...['bash', 'zsh', 'fish', 'powershell'].map(shell =>
      line('completions', [shell], { ...local, isText: true }),
    ),
  ]
}

/** Writes the files that the command lines name into a folder. */
export async function files(
  folder: string,
): Promise<Pick<Things, 'book' | 'cover' | 'font' | 'session' | 'plan'>> {
  const at = (name: string) => join(folder, name)
  writeFileSync(at('book.epub'), await makeExampleEpub({ title: 'On Its Own' }))
  writeFileSync(at('cover.png'), exampleCover())
  writeFileSync(at('font.woff2'), 'wOF2 and so on')
  writePlan(at('plan.ndjson'), { baseUrl: 'https://api.example.org', scopeId: null }, [])
  return {
    book: at('book.epub'),
    cover: at('cover.png'),
    font: at('font.woff2'),
    session: at('session.json'),
    plan: at('plan.ndjson'),
  }
}
