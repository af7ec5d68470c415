// Looks for regular expressions whose time grows faster than their text, which the service or a book could use to hang
// pubctl. ESLint is here for this alone: its plugin has recheck try to break each expression.
import { ESLint } from 'eslint'
import redos from 'eslint-plugin-redos'
import { transformSync } from 'rolldown/utils'

/** ESLint's own parser reads JavaScript, so that it is given what rolldown leaves of TypeScript. */
const typescript = {
  meta: { name: 'typescript-by-rolldown' },
  preprocess: (/** @type {string} */ text) => [
    { text: transformSync('source.ts', text).code, filename: 'source.js' },
  ],
  postprocess: (/** @type {any} */ [messages = []]) => messages,
}

/**
 * An expression is told by how many characters it reads, and not by the time that this takes: on a machine with other work, sound ones
 * would be called slow. A second of a quiet machine reads about so many.
 */
const byWork = {
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 100_000_000,
  timeout: 600_000,
}

const eslint = new ESLint({
  cwd: `${import.meta.dirname}/..`,
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['src/**/*.ts'], processor: typescript },
    {
      files: ['src/**/*.js'],
      plugins: { redos },
      rules: { 'redos/no-vulnerable': ['error', { ignoreErrors: false, cache: false, ...byWork }] },
    },
  ],
})
const results = await eslint.lintFiles(['src'])
for (const { filePath, messages } of results)
  for (const {
    message,
    source,
    line,
  } of /** @type {(import('eslint').Linter.LintMessage & { source?: string })[]} */ (messages))
    console.error(`${filePath}: ${message}, near ${source ?? `line ${line} without its types`}`)
if (results.length === 0 || results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1
