// Which modules of the program share a file of its bundle.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * What every command loads is one file, what every group of commands loads a second one, and what every request loads a
 * third; what reads books is one file, too, and what uploads them a few: to open a file takes longer than to load a little more
 * than is needed. Everything else is split by what uses it. That saves the help of a group 6 ms of 37, a request 4 of 63, to
 * inspect a book 10 of 57, and an upload of a few books 7 of 190, where Node itself starts in 20. These are lists of files, since
 * such a command needs a part only of most folders. What a file of a list imports is in its group as well, if no other one has it.
 */
export const groups = [
  { name: 'main', tags: /** @type {['$initial']} */ (['$initial']), priority: 3 },
  {
    name: 'options',
    test: isAmong([
      'src/cli/about.ts',
      'src/cli/for-each.ts',
      'src/cli/option-types.ts',
      'src/cli/output/checked-by-column.ts',
      'src/cli/repeatable.ts',
      'src/plan/book-fields.ts',
      'src/plan/wanted.ts',
      'src/uploads/options/book-options.ts',
      'src/uploads/options/sheet-options.ts',
    ]),
    priority: 3,
  },
  {
    name: 'contract',
    test: isAmong(
      [
        'src/service/contract',
        'src/cli/delete-each.ts',
        'src/cli/item.ts',
        'src/cli/listing.ts',
        'src/cli/read-text.ts',
        'src/uploads/options/shard-option.ts',
        'src/cli/shard-systems.ts',
        'src/commands/wait.ts',
        'src/config/mask.ts',
        'src/uploads/journal/caller.ts',
        'src/plan/shard.ts',
        'src/service/client/pages.ts',
        'src/service/client/poll.ts',
        'src/service/client/retry.ts',
        'src/service/client/retryable.ts',
      ],
      [
        'src/service/contract/openapi.ts',
        'src/service/contract/openapi-components.ts',
        'src/service/contract/openapi-errors.ts',
        'src/service/contract/openapi-schemas.ts',
        'src/service/contract/zod-names.ts',
        'src/service/contract/zod-parts.ts',
      ],
    ),
    priority: 2,
  },
  {
    name: 'upload-context',
    test: isAmong([
      'src/uploads/options/file-size.ts',
      'src/uploads/options/send-to-session.ts',
      'src/uploads/batch/caller.ts',
      'src/uploads/batch/journal.ts',
      'src/uploads/batch/open-uploads.ts',
      'src/uploads/batch/receipt-view.ts',
      'src/uploads/find-caller.ts',
      'src/uploads/open.ts',
      'src/uploads/transfer-limit.ts',
      'src/uploads/reading/kept-files.ts',
    ]),
    priority: 1,
  },
  {
    name: 'zod',
    test: isAmong(
      ['node_modules/zod', 'src/service/contract/zod-names.ts', 'src/service/contract/zod-parts.ts'],
      [
        'node_modules/zod/v4/classic/from-json-schema.js',
        'node_modules/zod/v4/core/json-schema.js',
        'node_modules/zod/v4/core/json-schema-generator.js',
        'node_modules/zod/v4/core/json-schema-processors.js',
        'node_modules/zod/v4/core/to-json-schema.js',
      ],
    ),
  },
  {
    name: 'book',
    test: isAmong([
      'node_modules/pend',
      'node_modules/saxes',
      'node_modules/xmlchars',
      'node_modules/yauzl',
      'src/books/accessibility-facts.ts',
      'src/books/baseline/known.ts',
      'src/books/book.ts',
      'src/books/check-type.ts',
      'src/books/cover.ts',
      'src/books/decode.ts',
      'src/books/entities.ts',
      'src/books/epub',
      'src/books/examine.ts',
      'src/books/file-kind.ts',
      'src/books/file.ts',
      'src/books/hints.ts',
      'src/books/href.ts',
      'src/books/image.ts',
      'src/books/index.ts',
      'src/books/isbn.ts',
      'src/books/lpf',
      'src/books/problems.ts',
      'src/books/rights-facts.ts',
      'src/books/rights/tdm-namespaces.ts',
      'src/books/xml.ts',
      'src/books/zip-end.ts',
      'src/books/zip-entries.ts',
      'src/books/zip-entry.ts',
      'src/books/zip-names.ts',
      'src/books/zip.ts',
      'src/cli/show-each.ts',
      'src/commands/inspect/named-books.ts',
      'src/commands/inspect/problems.ts',
      'src/inspect/about.ts',
      'src/inspect/problem-report/rows.ts',
      'src/inspect/report-row.ts',
      'src/inspect/tallied.ts',
      'src/uploads/inputs/decode.ts',
      'src/uploads/inputs/named-files.ts',
      'src/uploads/inputs/sheet/cells.ts',
      'src/uploads/inputs/sheet/columns.ts',
      'src/uploads/inputs/sheet/index.ts',
      'src/uploads/inputs/sheet/read-row.ts',
      'src/uploads/inputs/sheet/rows.ts',
      'src/uploads/inputs/source.ts',
      'src/uploads/options/book-problems.ts',
    ]),
  },
  {
    name: 'files',
    test: isAmong([
      'src/system/book-extensions.ts',
      'src/system/byte-order-mark.ts',
      'src/system/calendar.ts',
      'src/system/files.ts',
      'src/system/formula.ts',
      'src/system/natural-order.ts',
      'src/system/open-file.ts',
      'src/system/optimise-later.ts',
      'src/system/own-path.ts',
      'src/system/pattern.ts',
      'src/system/read-chunks.ts',
      'src/system/read-tree.ts',
      'src/system/remove-database.ts',
      'src/system/text-decoder.ts',
      'src/system/unreadable.ts',
      'src/uploads/asked-checks.ts',
      'src/uploads/named-rules.ts',
      'src/uploads/opened-checks.ts',
      'src/uploads/opened-rules.ts',
      'src/uploads/tell-checkers.ts',
    ]),
    priority: 2,
  },
  {
    name: 'database',
    test: isAmong([
      'src/system/database.ts',
      'src/system/database-driver.ts',
      'src/system/database-error.ts',
      'src/system/sha256.ts',
    ]),
  },
  {
    name: 'request',
    test: isAmong([
      'src/service/client/call.ts',
      'src/service/client/exchanges.ts',
      'src/service/client/http.ts',
      'src/cli/completion-cache.ts',
    ]),
  },
  {
    name: 'writing',
    test: isAmong([
      'src/system/append-file.ts',
      'src/system/complete-file.ts',
      'src/system/csv-mark.ts',
      'src/system/free-names.ts',
      'src/system/guarded.ts',
      'src/system/name-other.ts',
      'src/system/worker-path.ts',
    ]),
  },
  {
    name: 'terminal',
    test: isAmong(['src/cli/output/live-lines.ts', 'src/cli/output/width.ts']),
  },
  {
    name: 'pages',
    test: isAmong([
      'src/pages/cut-value.ts',
      'src/pages/job-summary.ts',
      'src/pages/junit.ts',
      'src/pages/page.ts',
      'src/pages/parts.ts',
      'src/pages/time-label.ts',
    ]),
  },
  {
    name: 'plan-options',
    test: isAmong(['src/plan/actions.ts', 'src/plan/name-pattern.ts']),
  },
  {
    name: 'plan',
    test: isAmong([
      'src/plan/creation.ts',
      'src/plan/decide.ts',
      'src/plan/differences.ts',
      'src/plan/divide.ts',
      'src/plan/drift.ts',
      'src/plan/known.ts',
      'src/plan/match.ts',
      'src/plan/other-book.ts',
      'src/plan/product-step.ts',
      'src/plan/same-language.ts',
      'src/plan/step.ts',
      'src/plan/upload-plan.ts',
    ]),
  },
  {
    name: 'send-file',
    test: isAmong([
      'src/service/client/send-file.ts',
      'src/service/client/upload-target.ts',
      'src/uploads/session.ts',
    ]),
  },
  {
    name: 'journal',
    test: isAmong([
      'src/uploads/file-options.ts',
      'src/uploads/journal/caller-name.ts',
      'src/uploads/journal/entry.ts',
      'src/uploads/journal/local-journal.ts',
      'src/uploads/journal/local-reader.ts',
      'src/uploads/journal/taken-over.ts',
      'src/uploads/sent/sent-store.ts',
    ]),
  },
  {
    name: 'upload',
    test: isAmong([
      'src/uploads/batch/upload-rows.ts',
      'src/uploads/lookup/lookup.ts',
      'src/uploads/reading/thread.ts',
      'src/uploads/upload-files.ts',
    ]),
  },
]

/**
 * Tells whether a module is one of these files, or in one of these folders, exceptions aside. A name that nothing has fails
 * the build, since a file that was renamed would leave its group without a word, and every start would be slower.
 */
function isAmong(/** @type {readonly string[]} */ paths, /** @type {readonly string[]} */ exceptions = []) {
  const named = new Set(paths.flatMap(filesOf))
  for (const file of exceptions.flatMap(filesOf)) named.delete(file)
  return (/** @type {string} */ id) => named.has(id)
}

/** A file by its absolute path, or all files in a folder. */
export function filesOf(/** @type {string} */ path) {
  const absolute = join(root, path)
  if (!statSync(absolute).isDirectory()) return [absolute]
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' }).map(name => join(absolute, name))
}
