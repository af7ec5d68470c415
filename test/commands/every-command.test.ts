import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandNode } from '../../src/cli/command-tree.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { type Invocation, invocations, type Things } from '../support/machine/every-command.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine, type Result } from '../support/machine/pubctl.ts'
import { removeFolder } from '../support/machine/remove-folder.ts'
import { copySandbox, seededMachine } from '../support/machine/seeded.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { foreignControls, withoutColours } from '../support/machine/terminal.ts'
import { json, serve } from '../support/servers/server.ts'
import '../support/machine/plain-snapshots.ts'

const leaves = (node: CommandNode): string[] =>
  node.commands.length === 0 ? [node.path] : node.commands.flatMap(leaves)

/** A command line for each command: the one that is told to show how it ends when all is well. */
const oneEach = (all: readonly Invocation[]): Invocation[] =>
  all.filter(
    ({ command, isEndless }, index) =>
      !isEndless && all.findIndex(each => each.command === command) === index,
  )

/** Gives each command line a machine of its own, with the sandbox as it was at first. */
async function onEach(
  all: readonly Invocation[],
  work: (invocation: Invocation, own: ReturnType<typeof machine>) => Promise<void>,
) {
  for (const invocation of all) {
    const own = machine()
    copySandbox(home, own.home)
    await work(invocation, own)
  }
}

/** What must hold of a command under `--json`. */
/** What is printed without the lines of warnings in JSON, of which there is at least one. */
function withoutWarnings(text: string): string {
  const warning = /^\{"warning":\{.*\}\}\r?\n/gm
  expect(text).toMatch(warning)
  return text.replace(warning, '')
}

function holdsAsJson({ args, isText, code: wanted = 0, warns }: Invocation, { code, out, ...said }: Result) {
  const line = args.join(' ')
  const err = warns ? withoutWarnings(said.err) : said.err
  expect({ line, code, err: code === wanted ? '' : err }).toEqual({ line, code: wanted, err: '' })
  if (isText) return expect(out, line).not.toBe('')
  if (out !== '') expect(() => JSON.parse(out), line).not.toThrow()
  if (code === 0 && !args.includes('--include')) expect({ line, err }).toEqual({ line, err: '' })
  if (code !== 0) {
    expect(err, line).toMatch(/^[^\n]*\n$/)
    expect(JSON.parse(err).error, line).toMatchObject({
      exitCode: code,
      code: expect.any(String),
      hint: expect.anything(),
    })
  }
}

/** The header of a table, or the labels of a card and the headers of what stands below it. */
const headOf = (text: string): string => {
  const [first = ''] = text.split('\n')
  if (first === first.toUpperCase()) return first.trim().split(/ {2,}/).join(' | ')
  const heads = text
    .split('\n')
    .map(line => /^[A-Z -]+$/.exec(line)?.[0] ?? /^[a-z].*?(?= {2})/.exec(line)?.[0])
  return heads.filter(head => head !== undefined).join(' | ')
}

/** Where the sandbox is made that each command line gets a copy of. */
const home = mkdtempSync(join(tmpdir(), 'pubctl-commands-'))
let things: Things
beforeAll(async () => {
  things = (await seededMachine(home)).things
})
afterAll(() => removeFolder(home))

describe('every command', () => {
  it('stands in the table of command lines', async () => {
    const { out } = await machine().run(['commands'])
    const nothing = new Proxy({} as Parameters<typeof invocations>[0], { get: () => 'x' })
    const known = new Set(invocations(nothing).map(({ command }) => command))
    expect([...known].sort()).toEqual(leaves(JSON.parse(out)).sort())
  })

  it('prints one JSON document into a pipe, with stdin closed', async () => {
    await onEach(share(oneEach(invocations(things)), 16, 0), async (invocation, own) => {
      const stdin = invocation.stdin === undefined ? '<&-' : ''
      const line = ['--profile', 'sandbox', ...invocation.args, '--json']
      const { exitCode, stdout, stderr } = await execa(
        'sh',
        ['-c', `exec "$0" "$@" ${stdin}`, process.execPath, bin, ...line],
        {
          env: environment({ HOME: own.home, PUBCTL_SANDBOX_DELAY: '5ms' }),
          extendEnv: false,
          reject: false,
          stripFinalNewline: false,
          ...(invocation.stdin === undefined ? { stdin: 'ignore' } : { input: invocation.stdin }),
        },
      )
      holdsAsJson(invocation, { code: exitCode ?? -1, out: stdout, err: stderr })
    })
  }, 240_000)

  it.runIf(isSlow)(
    'prints one JSON document, or one error, at a terminal',
    async () => {
      await onEach(share(oneEach(invocations(things)), 16, 8), async (invocation, own) => {
        if (invocation.stdin !== undefined) return
        const args = ['--profile', 'sandbox', ...invocation.args, '--json']
        const { code, text: shown } = await atTerminal(args, { home: own.home }).ended()
        const text = invocation.warns ? withoutWarnings(shown) : shown
        const line = args.join(' ')
        expect({ line, code, text: code === (invocation.code ?? 0) ? '' : text }).toEqual({
          line,
          code: invocation.code ?? 0,
          text: '',
        })
        expect({ line, controls: foreignControls(text, true) }).toEqual({ line, controls: [] })
        if (!invocation.isText && text !== '') expect(() => JSON.parse(text), line).not.toThrow()
      })
    },
    240_000,
  )

  it.each([
    { format: '-o ndjson', part: 0 },
    { format: '-o csv', part: 1 },
    { format: '-q', part: 2 },
    { format: '', part: 3 },
    { format: '--query @', part: 4 },
    { format: '--json --query @', part: 5 },
  ])(
    'prints its result and nothing else into a pipe with "$format"',
    async ({ format, part }) => {
      const all = invocations(things).filter(({ isEndless }) => !isEndless)
      await onEach(share(all, 12, part), async (invocation, own) => {
        const args = [...invocation.args, ...format.split(' ').filter(Boolean)]
        const { code, out, err } = await own.sandbox(
          args,
          invocation.stdin === undefined ? {} : { stdin: invocation.stdin },
        )
        const line = args.join(' ')
        expect({ line, code, err: code === (invocation.code ?? 0) ? '' : err }).toEqual({
          line,
          code: invocation.code ?? 0,
          err: '',
        })
        expect({ line, out: foreignControls(out, false) }).toEqual({ line, out: [] })
        if (format === '-q' && code === 0 && !args.includes('--include'))
          expect({ line, err }).toEqual({ line, err: '' })
        if (invocation.isText) return
        if (format === '-o ndjson' && out) for (const each of out.trimEnd().split('\n')) JSON.parse(each)
        if (format.startsWith('--json') && out) JSON.parse(out)
      })
    },
    120_000,
  )

  it.each([
    { columns: 80, part: 0 },
    { columns: 200, part: 1 },
  ])(
    'draws no table wider than a terminal of $columns columns',
    async ({ columns, part }) => {
      const all = invocations(things).filter(({ isEndless }) => !isEndless)
      await onEach(share(all, 12, part), async (invocation, own) => {
        const options = invocation.stdin === undefined ? { columns } : { columns, stdin: invocation.stdin }
        const { out, err } = await own.sandbox(invocation.args, options)
        const line = invocation.args.join(' ')
        expect({ line, out: foreignControls(out, true), err: foreignControls(err, true) }).toEqual({
          line,
          out: [],
          err: [],
        })
        const isTable = / (list|popular)$/.test(invocation.command)
        const wide = withoutColours(out)
          .split('\n')
          .filter(each => stringWidth(each) > columns)
        if (isTable) expect({ line, wide }).toEqual({ line, wide: [] })
      })
    },
    120_000,
  )

  it('refuses a field that there is not, and lists those that there are, before any request', async () => {
    const { run } = machine({
      PUBCTL_API_KEY: 'canary-key-0123456789',
      PUBCTL_BASE_URL: 'http://127.0.0.1:9',
    })
    const lines = new Set<string>()
    for (const { command, args, isEndless, isText, hasNoFields, stdin } of invocations(things)) {
      if (isEndless || isText || hasNoFields) continue
      const { code, err } = await run(
        [...args, '--fields', 'nosuchfield', '--json'],
        stdin === undefined ? {} : { stdin },
      )
      const line = args.join(' ')
      expect({ line, code, error: code === 2 ? '' : err }).toEqual({ line, code: 2, error: '' })
      expect(JSON.parse(err).error, line).toMatchObject({
        code: 'unknown_field',
        hint: expect.stringMatching(/^The fields are \w+/),
      })
      lines.add(`${command}: ${JSON.parse(err).error.hint.slice('The fields are '.length)}`)
    }
    // Scripts rely on these names. What an option changes has a line of its own.
    expect([...lines].join('\n')).toMatchInlineSnapshot(`
      publications list: publicationId, title, author, type, isReflowable, status, uploadStatus, currentEditionId, cover, createdAtIso, collectionIds.
      publications stats: defaultPublicationId, stats, stats.publicationCount, stats.publicationEditionCount, stats.months.
      publications get: id, language, description, sampleItems, isForInternalReadingInstance, editions, editions.id, editions.type, editions.isReflowable, editions.editionCreated, editions.title, editions.titleSource, editions.author, editions.version, editions.isCurrentVersion, editions.status, editions.editionNotes, editions.key, editions.uploadStatus, editions.metadata, editions.navigationData, editions.metadata.pageCount, editions.metadata.fileSize, editions.metadata.epubVersion, editions.metadata.spreadBehaviour, editions.metadata.layoutType, editions.metadata.cover, editions.metadata.coverImageAlt, editions.metadata.isbn, editions.metadata.publisher, editions.navigationData.collectionType, editions.navigationData.collectionIndex, editions.navigationData.navigationItemId, editions.navigationData.title, editions.navigationData.depth, editions.navigationData.path, editions.navigationData.pathKey.
      publications upload: file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      publications create: item, result, checkedBy, item.id, item.language, item.description, item.sampleItems, item.isForInternalReadingInstance, item.editions, item.editions.id, item.editions.type, item.editions.isReflowable, item.editions.editionCreated, item.editions.title, item.editions.titleSource, item.editions.author, item.editions.version, item.editions.isCurrentVersion, item.editions.status, item.editions.editionNotes, item.editions.key, item.editions.uploadStatus, item.editions.metadata, item.editions.navigationData, item.editions.metadata.pageCount, item.editions.metadata.fileSize, item.editions.metadata.epubVersion, item.editions.metadata.spreadBehaviour, item.editions.metadata.layoutType, item.editions.metadata.cover, item.editions.metadata.coverImageAlt, item.editions.metadata.isbn, item.editions.metadata.publisher, item.editions.navigationData.collectionType, item.editions.navigationData.collectionIndex, item.editions.navigationData.navigationItemId, item.editions.navigationData.title, item.editions.navigationData.depth, item.editions.navigationData.path, item.editions.navigationData.pathKey, result.uploadRequestId, result.uploadMode, result.objectKey, result.uploadUrl, result.expiresIn, result.requiredHeaders, result.cover, result.cover.objectKey, result.cover.uploadUrl, result.cover.expiresIn, result.cover.requiredHeaders.
      publications wait: id, language, description, sampleItems, isForInternalReadingInstance, editions, editions.id, editions.type, editions.isReflowable, editions.editionCreated, editions.title, editions.titleSource, editions.author, editions.version, editions.isCurrentVersion, editions.status, editions.editionNotes, editions.key, editions.uploadStatus, editions.metadata, editions.navigationData, editions.metadata.pageCount, editions.metadata.fileSize, editions.metadata.epubVersion, editions.metadata.spreadBehaviour, editions.metadata.layoutType, editions.metadata.cover, editions.metadata.coverImageAlt, editions.metadata.isbn, editions.metadata.publisher, editions.navigationData.collectionType, editions.navigationData.collectionIndex, editions.navigationData.navigationItemId, editions.navigationData.title, editions.navigationData.depth, editions.navigationData.path, editions.navigationData.pathKey.
      publications update: id, language, description, sampleItems, isForInternalReadingInstance, editions, editions.id, editions.type, editions.isReflowable, editions.editionCreated, editions.title, editions.titleSource, editions.author, editions.version, editions.isCurrentVersion, editions.status, editions.editionNotes, editions.key, editions.uploadStatus, editions.metadata, editions.navigationData, editions.metadata.pageCount, editions.metadata.fileSize, editions.metadata.epubVersion, editions.metadata.spreadBehaviour, editions.metadata.layoutType, editions.metadata.cover, editions.metadata.coverImageAlt, editions.metadata.isbn, editions.metadata.publisher, editions.navigationData.collectionType, editions.navigationData.collectionIndex, editions.navigationData.navigationItemId, editions.navigationData.title, editions.navigationData.depth, editions.navigationData.path, editions.navigationData.pathKey.
      publications delete: id, language, description, sampleItems, isForInternalReadingInstance, editions, editions.id, editions.type, editions.isReflowable, editions.editionCreated, editions.title, editions.titleSource, editions.author, editions.version, editions.isCurrentVersion, editions.status, editions.editionNotes, editions.key, editions.uploadStatus, editions.metadata, editions.navigationData, editions.metadata.pageCount, editions.metadata.fileSize, editions.metadata.epubVersion, editions.metadata.spreadBehaviour, editions.metadata.layoutType, editions.metadata.cover, editions.metadata.coverImageAlt, editions.metadata.isbn, editions.metadata.publisher, editions.navigationData.collectionType, editions.navigationData.collectionIndex, editions.navigationData.navigationItemId, editions.navigationData.title, editions.navigationData.depth, editions.navigationData.path, editions.navigationData.pathKey.
      editions list: id, type, isReflowable, editionCreated, title, titleSource, author, version, isCurrentVersion, status, editionNotes, key, uploadStatus, metadata, navigationData, metadata.pageCount, metadata.fileSize, metadata.epubVersion, metadata.spreadBehaviour, metadata.layoutType, metadata.cover, metadata.coverImageAlt, metadata.isbn, metadata.publisher, navigationData.collectionType, navigationData.collectionIndex, navigationData.navigationItemId, navigationData.title, navigationData.depth, navigationData.path, navigationData.pathKey.
      editions get: id, type, isReflowable, editionCreated, title, titleSource, author, version, isCurrentVersion, status, editionNotes, key, uploadStatus, metadata, navigationData, metadata.pageCount, metadata.fileSize, metadata.epubVersion, metadata.spreadBehaviour, metadata.layoutType, metadata.cover, metadata.coverImageAlt, metadata.isbn, metadata.publisher, navigationData.collectionType, navigationData.collectionIndex, navigationData.navigationItemId, navigationData.title, navigationData.depth, navigationData.path, navigationData.pathKey.
      editions upload: file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      editions create: item, result, checkedBy, item.id, item.language, item.description, item.sampleItems, item.isForInternalReadingInstance, item.editions, item.editions.id, item.editions.type, item.editions.isReflowable, item.editions.editionCreated, item.editions.title, item.editions.titleSource, item.editions.author, item.editions.version, item.editions.isCurrentVersion, item.editions.status, item.editions.editionNotes, item.editions.key, item.editions.uploadStatus, item.editions.metadata, item.editions.navigationData, item.editions.metadata.pageCount, item.editions.metadata.fileSize, item.editions.metadata.epubVersion, item.editions.metadata.spreadBehaviour, item.editions.metadata.layoutType, item.editions.metadata.cover, item.editions.metadata.coverImageAlt, item.editions.metadata.isbn, item.editions.metadata.publisher, item.editions.navigationData.collectionType, item.editions.navigationData.collectionIndex, item.editions.navigationData.navigationItemId, item.editions.navigationData.title, item.editions.navigationData.depth, item.editions.navigationData.path, item.editions.navigationData.pathKey, result.uploadRequestId, result.uploadMode, result.objectKey, result.uploadUrl, result.expiresIn, result.requiredHeaders, result.cover, result.cover.objectKey, result.cover.uploadUrl, result.cover.expiresIn, result.cover.requiredHeaders.
      editions wait: id, type, isReflowable, editionCreated, title, titleSource, author, version, isCurrentVersion, status, editionNotes, key, uploadStatus, metadata, navigationData, metadata.pageCount, metadata.fileSize, metadata.epubVersion, metadata.spreadBehaviour, metadata.layoutType, metadata.cover, metadata.coverImageAlt, metadata.isbn, metadata.publisher, navigationData.collectionType, navigationData.collectionIndex, navigationData.navigationItemId, navigationData.title, navigationData.depth, navigationData.path, navigationData.pathKey.
      uploads create: uploadRequestId, uploadMode, objectKey, uploadUrl, expiresIn, requiredHeaders, cover, cover.objectKey, cover.uploadUrl, cover.expiresIn, cover.requiredHeaders.
      uploads put: file, bytes, cover, outcome.
      metadata-keys list: id, scopeId, key, label, origin, mutability, status, isInUse, archivedAtIso, archivedBySub, createdAtIso, updatedAtIso.
      metadata-keys create: id, scopeId, key, label, origin, mutability, status, isInUse, archivedAtIso, archivedBySub, createdAtIso, updatedAtIso.
      metadata-keys archive: id, scopeId, key, label, origin, mutability, status, isInUse, archivedAtIso, archivedBySub, createdAtIso, updatedAtIso.
      metadata-keys restore: id, scopeId, key, label, origin, mutability, status, isInUse, archivedAtIso, archivedBySub, createdAtIso, updatedAtIso.
      metadata-keys delete: id, scopeId, key, label, origin, mutability, status, isInUse, archivedAtIso, archivedBySub, createdAtIso, updatedAtIso.
      assets list: id, createdBySub, scopeId, organisationId, type, filename, key, filetype, filesize, status, usedByReaderInstances, createdAtIso, usedByReaderInstances.id, usedByReaderInstances.name.
      assets upload: file, type, bytes, id, outcome, error, error.code, error.message, error.hint.
      assets rename: id, createdBySub, scopeId, organisationId, type, filename, key, filetype, filesize, status, usedByReaderInstances, createdAtIso, usedByReaderInstances.id, usedByReaderInstances.name.
      assets delete: id, createdBySub, scopeId, organisationId, type, filename, key, filetype, filesize, status, usedByReaderInstances, createdAtIso, usedByReaderInstances.id, usedByReaderInstances.name.
      domains list: id, domain, description, createdAtIso, updatedAtIso, isInUse, readerInstanceIds.
      domains get: id, domain, description, createdAtIso, updatedAtIso, isInUse, readerInstanceIds.
      domains create: id, domain, description, createdAtIso, updatedAtIso, isInUse, readerInstanceIds.
      domains update: id, domain, description, createdAtIso, updatedAtIso, isInUse, readerInstanceIds.
      domains delete: id, domain, description, createdAtIso, updatedAtIso, isInUse, readerInstanceIds.
      reader-instances list: id, name, description, screenshot, isSampleOnly, isDefault, securityLevel, createdAtIso, updatedAtIso, screenshotUpdatedAtIso.
      reader-instances get: id, name, description, screenshot, isSampleOnly, isDefault, securityLevel, createdAtIso, updatedAtIso, screenshotUpdatedAtIso, permittedDomains, createdBySub, scopeId, organisationId, configuration, designerState, configuration.plan, configuration.version, configuration.lastUpdated, configuration.addons, configuration.layout, configuration.private, configuration.public, designerState.version, designerState.selectedLayout, designerState.featureState, designerState.settingsState, designerState.iconState, designerState.fontState, configuration.layout.version, configuration.layout.regions, configuration.private.authentication, configuration.public.settings, configuration.public.fonts, configuration.private.authentication.authType.
      reader-instances copy: id, name, description, screenshot, isSampleOnly, isDefault, securityLevel, createdAtIso, updatedAtIso, screenshotUpdatedAtIso, permittedDomains, createdBySub, scopeId, organisationId, configuration, designerState, configuration.plan, configuration.version, configuration.lastUpdated, configuration.addons, configuration.layout, configuration.private, configuration.public, designerState.version, designerState.selectedLayout, designerState.featureState, designerState.settingsState, designerState.iconState, designerState.fontState, configuration.layout.version, configuration.layout.regions, configuration.private.authentication, configuration.public.settings, configuration.public.fonts, configuration.private.authentication.authType.
      reader-instances delete: id, name, description, screenshot, isSampleOnly, isDefault, securityLevel, createdAtIso, updatedAtIso, screenshotUpdatedAtIso, permittedDomains, createdBySub, scopeId, organisationId, configuration, designerState, configuration.plan, configuration.version, configuration.lastUpdated, configuration.addons, configuration.layout, configuration.private, configuration.public, designerState.version, designerState.selectedLayout, designerState.featureState, designerState.settingsState, designerState.iconState, designerState.fontState, configuration.layout.version, configuration.layout.regions, configuration.private.authentication, configuration.public.settings, configuration.public.fonts, configuration.private.authentication.authType.
      reader-users list: id, deviceId, userId, lastOrigin, lastSessionStartedAt, numberOfBooksRead, currentPublicationId.
      reader-users get: id, deviceId, userId, lastOrigin, lastSessionStartedAt, numberOfBooksRead, currentPublicationId, origins, currentPublication, readingHistory, currentReadingState, currentPublication.publicationId, currentPublication.title, currentPublication.author, currentPublication.type, currentPublication.isReflowable, currentPublication.status, currentPublication.uploadStatus, currentPublication.currentEditionId, currentPublication.cover, readingHistory.publicationId, readingHistory.title, readingHistory.author, readingHistory.type, readingHistory.isReflowable, readingHistory.status, readingHistory.uploadStatus, readingHistory.currentEditionId, readingHistory.cover, readingHistory.firstReadAtIso, readingHistory.lastReadAtIso, readingHistory.sessionCount, readingHistory.bookmarkCount, readingHistory.highlightCount, readingHistory.progression, readingHistory.chapterTitle, readingHistory.pageLabel, readingHistory.pageIndex, readingHistory.progressUpdatedAtIso, currentReadingState.sessionId, currentReadingState.bookmarkCount, currentReadingState.highlightCount, currentReadingState.progression, currentReadingState.chapterTitle, currentReadingState.pageLabel, currentReadingState.pageIndex, currentReadingState.updatedAtIso.
      analytics scope: period, totals, monthly, period.from, period.to, totals.publicationsRead, totals.totalViews, totals.activeReaders, monthly.month, monthly.publicationsRead, monthly.totalViews, monthly.activeReaders.
      analytics popular: publicationId, title, views.
      analytics popular: publicationId, title, views, trend, trend.publicationId, trend.period, trend.totals, trend.monthly, trend.period.from, trend.period.to, trend.totals.totalReads, trend.totals.averageReadTimeMs, trend.totals.averageCompletion, trend.totals.completionRate, trend.monthly.month, trend.monthly.totalReads, trend.monthly.averageReadTimeMs, trend.monthly.averageCompletion, trend.monthly.completionRate, error, error.code, error.message.
      analytics publication: publicationId, period, totals, monthly, period.from, period.to, totals.totalReads, totals.averageReadTimeMs, totals.averageCompletion, totals.completionRate, monthly.month, monthly.totalReads, monthly.averageReadTimeMs, monthly.averageCompletion, monthly.completionRate.
      analytics activity: publicationId, period, daily, period.from, period.to, daily.day, daily.views.
      analytics report: runningMonth, madeAtIso, scopeId, titlesRanked, monthly.month, titles, activity, progress, unread, period, period.from, period.to, periodBefore, periodBefore.from, periodBefore.to, activity.period, activity.period.from, activity.period.to, totals, totals.publicationsRead, totals.totalViews, totals.activeReaders, before, before.publicationsRead, before.totalViews, before.activeReaders, change, change.publicationsRead, change.totalViews, change.activeReaders, monthly, monthly.publicationsRead, monthly.totalViews, monthly.activeReaders.
      users list: firstName, lastName, onboarded, userImage, id, sub, email, role, status, billing, billing.planId, billing.status, billing.billingAccessStatus, billing.billingGracePeriodEndIso, billing.billingInterval, billing.trialEndIso, billing.currentPeriodEndIso, billing.cancelAtPeriodEnd, billing.publicationLimit, billing.monthlyBandwidthLimitBytes, billing.bandwidthPeriodStartIso, billing.bandwidthPeriodEndIso, billing.bandwidthPeriodUsedBytes, billing.bandwidthPeriodCalculatedThroughIso, billing.bandwidthAccessStatus.
      users delete-me: success, error.
      apikeys list: id, name, organisationId, userId, keyId, prefix, keyHash, suffix, scopes, revoked, expires, created, lastUsed, createdByUserId, status.
      apikeys get: id, name, organisationId, userId, keyId, prefix, keyHash, suffix, scopes, revoked, expires, created, lastUsed, createdByUserId, status.
      apikeys update: id, name, organisationId, userId, keyId, prefix, keyHash, suffix, scopes, revoked, expires, created, lastUsed, createdByUserId, status.
      apikeys delete: id, name, organisationId, userId, keyId, prefix, keyHash, suffix, scopes, revoked, expires, created, lastUsed, createdByUserId, status.
      whoami: profile, keyFrom, baseUrl, key, email, role, scopeId, scopes, keyStatus, authType, sub, organisationId.
      doctor: check, status, message, hint.
      catalogue plan: key, action, why, hint, file, sha256, bytes, type, title, author, publicationId, editionId, proof, fields, differences, differences.field, differences.there, differences.wanted, differences.sent, before, send, cover, uploadRequestId, warnings, checkedBy, from.
      catalogue apply: key, file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      catalogue revert: key, file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      catalogue accept: key, title, publicationId, field, there, wanted, difference.
      catalogue drift: key, title, state, publicationId, editionId, differences, differences.field, differences.state, differences.sent, differences.there, differences.wanted, from.
      catalogue export: file, publications, leftOut.
      catalogue export: publicationId, key, file, title, author, language, description, isbn, publisher, metadata, collection, sample-item, internal.
      catalogue index: target, scopeId, file, publications, unread, notReadYet, comparedAtIso, oldestAtIso.
      catalogue index: target, scopeId, listed, outdated, read, removed, unread.
      receipts merge: row, shard, key, file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      watch: time, event, file, why, bytes, sha256, publicationId, editionId, outcome, error, error.code, error.message, movedTo, receipt, counts, counts.done, counts.failed, counts.waiting.
      queue load: planId, root, added, known, leftToPeople, left.
      queue status: steps, waiting, underWay, retrying, failed, uploaded, updated, skipped, perSecond, secondsLeft, limitPerSecond, workers, workers.host, workers.pid, workers.concurrency, workers.startedAtIso, plans, plans.planId, plans.baseUrl, plans.scopeId, plans.root, plans.loadedAtIso, failures, failures.id, failures.key, failures.file, failures.state, failures.outcome, failures.code, failures.why, failures.hint, failures.tries, failures.nextTryAtIso.
      queue retry: retried.
      queue limit: limitPerSecond.
      worker: key, file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      inspect: file, type, mediaType, title, titles, authors, creators, language, isbn, publisher, description, identifier, epubVersion, isReflowable, layout, spread, cover, navigation, pageCount, duration, playingTime, trackCount, drm, inventory, checkedBy, problems.
      pack audiobook: file, bytes, title, authors, narrators, language, isbn, cover, duration, trackCount, chapterCount, problems.
      uploads list: uploadRequestId, target, scopeId, file, bytes, modified, sha256, cover, editionOf, stage, publicationId, editionId, uploadStatus, errorCode, errorMessage, title, startedAtIso, changedAtIso.
      uploads resume: file, title, author, sha256, bytes, type, publicationId, editionId, uploadRequestId, uploadStatus, outcome, why, warnings, checkedBy, error, error.code, error.message, error.hint, error.exitCode, error.batchExitCode.
      uploads forget: uploadRequestId, target, scopeId, file, bytes, modified, sha256, cover, editionOf, stage, publicationId, editionId, uploadStatus, errorCode, errorMessage, title, startedAtIso, changedAtIso.
      profile setup: name, baseUrl, isCurrent, key, keyCommand, allowHttp, multiValue, rules, epubcheck, keyStored.
      profile list: name, baseUrl, isCurrent, key, keyCommand, allowHttp, multiValue, rules, epubcheck, keyStored.
      profile show: name, baseUrl, isCurrent, key, keyCommand, allowHttp, multiValue, rules, epubcheck, keyStored.
      sandbox status: dataDir, exists, publications, bytes, keys, keys.name, keys.key, keys.scopes, keys.status.
      sandbox book: file, bytes.
      commands: name, version, summary, usage, examples, options, exitCodes, commands.
    `)
  })

  it('names what it shows in CSV, and in the tables and cards of a wide and a narrow terminal', async () => {
    const heads: string[] = []
    const reading = oneEach(invocations(things)).filter(({ command }) =>
      /^(?!queue).* (list|get|show|status)$/.test(command),
    )
    const own = machine()
    copySandbox(home, own.home)
    for (const { command, args } of reading) {
      const csv = (await own.sandbox([...args, '-o', 'csv'])).out.split('\n')[0]
      const [wide, narrow] = await Promise.all(
        [200, 60].map(async columns => headOf(withoutColours((await own.sandbox(args, { columns })).out))),
      )
      heads.push(command, `  ${csv}`, `  ${wide}`, ...(narrow === wide ? [] : [`  ${narrow}`]))
    }
    expect(heads.join('\n')).toMatchInlineSnapshot(`
      publications list
        publicationId,title,author,type,status,uploadStatus,createdAtIso
        TITLE | AUTHOR | TYPE | STATUS | UPLOAD STATUS | CREATED | PUBLICATION ID
        TITLE | TYPE | UPLOAD STATUS | PUBLICATION ID
      publications get
        id,editions.title,editions.author,editions.type,editions.uploadStatus,language,description,sampleItems,isForInternalReadingInstance,editions.id,editions.status,editions.editionCreated,editions.isReflowable,editions.metadata.isbn,editions.metadata.publisher,editions.metadata.layoutType,editions.metadata.fileSize
        id | title | author | type | upload status | language | description | for internal reading instance | edition id | status | edition created | reflowable | publisher | layout type | file size
      editions list
        id,version,isCurrentVersion,title,type,status,uploadStatus,editionCreated
        VERSION | CURRENT | TITLE | TYPE | STATUS | UPLOAD STATUS | EDITION CREATED | ID
        VERS… | CURRE… | TITLE | TYPE | UPLOA… | ID
      editions get
        id,version,isCurrentVersion,title,type,status,uploadStatus,editionCreated,author,isReflowable,titleSource,editionNotes,metadata.isbn,metadata.publisher,metadata.pageCount,metadata.fileSize,metadata.epubVersion,metadata.layoutType,navigationData.title
        id | version | current | title | type | status | upload status | edition created | author | reflowable | title source | publisher | file size | epub version | layout type | contents
      metadata-keys list
        id,key,label,status,isInUse,createdAtIso
        ID | KEY | LABEL | STATUS | IN USE | CREATED
        ID | KEY | LABEL | STATUS | IN USE
      assets list
        id,filename,type,filesize,status,usedByReaderInstances.name,createdAtIso
        ID | FILENAME | TYPE | FILESIZE | STATUS | USED BY | CREATED
        ID | FILE… | TYPE | FILE… | STATUS | USED …
      domains list
        id,domain,description,isInUse,createdAtIso
        DOMAIN | DESCRIPTION | IN USE | CREATED | ID
        DOMAIN | DESCRIPTION | IN USE | ID
      domains get
        id,domain,description,isInUse,readerInstanceIds,createdAtIso,updatedAtIso
        id | domain | description | in use | created | updated
      reader-instances list
        id,name,description,isDefault,isSampleOnly,securityLevel,updatedAtIso
        NAME | DESCRIPTION | DEFAULT | SAMPLE ONLY | SECURITY LEVEL | UPDATED | ID
        NAME | DESCRIPTION | DEFAULT | ID
      reader-instances get
        id,name,description,isDefault,isSampleOnly,securityLevel,updatedAtIso,permittedDomains,configuration.plan,configuration.version,configuration.private.authentication.authType,createdAtIso
        id | name | description | default | sample only | security level | updated | permitted domains | plan | version | auth type | created
      reader-users list
        id,userId,deviceId,lastOrigin,lastSessionStartedAt,numberOfBooksRead
        ID | USER ID | DEVICE ID | LAST ORIGIN | LAST SESSION | BOOKS READ
        ID | USER ID | LAST ORIGIN | LAST SESSION | BOOKS READ
      reader-users get
        id,userId,deviceId,lastOrigin,lastSessionStartedAt,numberOfBooksRead,currentPublicationId,origins,currentPublication.title,currentReadingState.progression,currentReadingState.chapterTitle,readingHistory.title
        id | user id | device id | last origin | last session | books read | current publication id | origins | now reading | progression | chapter title | has read
      users list
        id,email,firstName,lastName,role,status
        ID | EMAIL | FIRST NAME | LAST NAME | ROLE | STATUS
      apikeys list
        id,name,prefix,suffix,scopes,status,created,lastUsed
        NAME | PREFIX | SUFFIX | SCOPES | STATUS | CREATED | LAST USED | ID
        NAME | PREFIX | SCOPES | STATUS | ID
      apikeys get
        id,name,prefix,suffix,scopes,status,created,lastUsed,expires,revoked,keyId,userId
        id | name | prefix | suffix | scopes | status | created | key id | user id
      uploads list
        uploadRequestId,file,bytes,stage,uploadStatus,changedAtIso,errorMessage
        UPLOAD REQUEST ID | FILE | BYTES | STAGE | UPLOAD STATUS | CHANGED | ERROR
        UPLOAD REQUEST ID | FILE | STAGE | ERROR
      profile list
        name,baseUrl,isCurrent,key,keyStored
        NAME | BASE URL | CURRENT | KEY | KEY STORED
      profile show
        name,baseUrl,isCurrent,key,keyCommand,allowHttp,multiValue,rules,epubcheck,keyStored
        name | current | allow http | multi value | epubcheck
      sandbox status
        dataDir,exists,publications,bytes,keys.name,keys.key
        data dir | exists | publications | bytes | key names | keys
        exists | publications | bytes | key names | keys
    `)
  })

  it('takes no colour where NO_COLOR is set, and colour where it is forced', async () => {
    const { sandbox } = machine()
    const colours = async (env: Record<string, string>, more: string[] = [], columns?: number) =>
      /\u001b\[/.test(
        (await sandbox(['domains', 'list', ...more], { env, ...(columns ? { columns } : {}) })).out,
      )
    expect(await colours({}, [], 80)).toBe(true)
    expect(await colours({ NO_COLOR: '1' }, [], 80)).toBe(false)
    expect(await colours({ TERM: 'dumb' }, [], 80)).toBe(false)
    expect(await colours({}, ['--color', 'never'], 80)).toBe(false)
    expect(await colours({ NO_COLOR: '1' }, ['--color', 'always'], 80)).toBe(true)
    expect(await colours({})).toBe(false)
    const failing = async (...more: string[]) =>
      (await sandbox(['domains', 'get', 'nope', ...more], { columns: 80 })).err
    expect(await failing()).toMatch(/\u001b\[31merror:/)
    expect(await failing('--color', 'never')).not.toMatch(/\u001b/)
    expect(await failing('--color=never')).not.toMatch(/\u001b/)
  })
})

describe('a reader of the output that goes away', () => {
  it.runIf(isSlow)('ends a listing without end quietly', async () => {
    const { url } = await serve((request, response) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('nextToken') ?? 0)
      const items = Array.from({ length: 50 }, (_, index) => ({
        id: `ri_${page}_${index}`,
        name: 'x'.repeat(500),
      }))
      json(response, 200, { items, nextToken: String(page + 1), context: {} })
    })
    for (const format of ['-o ndjson', '--json', '-o csv', '-o table']) {
      const { exitCode, stdout, stderr } = await execa(
        'bash',
        [
          '-c',
          `"$0" "$1" reader-instances list --all ${format} | head -1 > /dev/null; echo "\${PIPESTATUS[0]}"`,
          process.execPath,
          bin,
        ],
        {
          env: environment({ PUBCTL_BASE_URL: url, PUBCTL_API_KEY: 'canary-key-0123456789' }),
          extendEnv: false,
          reject: false,
        },
      )
      expect({ format, exitCode, stdout, stderr }).toEqual({ format, exitCode: 0, stdout: '0', stderr: '' })
    }
  })

  it('says that a full disk is full', async ({ skip }) => {
    skip(!existsSync('/dev/full'), 'this system has no /dev/full')
    const { exitCode, stderr } = await execa(
      'sh',
      ['-c', '"$0" "$1" sandbox openapi > /dev/full', process.execPath, bin],
      {
        reject: false,
      },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: the output cannot be written: ENOSPC\n/)
  })
})
