// What libraries load at their start though pubctl never uses it. It is left out of the bundle, since loading it would
// take longer than many a command does.
import { join } from 'node:path'

/** What is asked for, by whom, and what they get instead. */
const instead = [
  // Commands that are programs of their own, of which there are none.
  { by: '/node_modules/commander/', name: 'node:child_process', contents: 'module.exports = {}' },
  // All of undici but the agent, the connector and `request`: fetch, WebSockets, caches, mocks, …
  {
    by: '/src/',
    name: 'undici',
    contents: `
      exports.Agent = require('undici/lib/dispatcher/agent.js')
      exports.buildConnector = require('undici/lib/core/connect.js')
      require('undici/lib/dispatcher/dispatcher.js').prototype.request = require('undici/lib/api/api-request.js')`,
  },
  // Node's own HTTP, of which undici wants to know how long headers may be, and whether a stream is one of Node's requests.
  {
    by: '/node_modules/undici/',
    name: 'node:http',
    contents: 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {}',
  },
  // HTTP/2, which undici speaks only when it is told to; without it, it goes on like this.
  { by: '/node_modules/undici/', name: 'node:http2', contents: 'exports.constants = {}' },
  // Node's own builds the longest of messages for the shortest of conditions.
  {
    by: '/node_modules/undici/',
    name: 'node:assert',
    contents: `module.exports = (isTrue, message = 'this cannot be') => {
      if (!isTrue) throw message instanceof Error ? message : new Error(message)
    }`,
  },
  // How wide a text is; it is given plain letters alone, which stand in for the cells. It has a `src` too, so it comes first.
  { by: '/node_modules/cli-table3/', name: 'string-width', contents: 'module.exports = text => text.length' },
  // Builds its patterns of emoji as it is loaded, which takes as long as Node's own start; hardly any text needs them.
  {
    by: '/src/',
    name: 'string-width',
    contents: `let load
      export default text => (load ??= require('string-width').default)(text)`,
  },
  // Schemas and migrations, of which conf is given none.
  { by: '/node_modules/conf/', name: 'ajv/dist/2020.js', contents: 'exports.Ajv2020 = undefined' },
  { by: '/node_modules/conf/', name: 'ajv-formats', contents: 'exports.default = undefined' },
  { by: '/node_modules/conf/', name: 'semver', contents: '' },
  // It would answer a signal by sending the process the same one again, which would pass for a second Ctrl-C.
  {
    by: '/node_modules/atomically/',
    name: 'when-exit',
    contents: "export default callback => process.once('exit', callback)",
  },
]

/** What stands in for a part of the language, as esbuild's `inject` wants it. */
export const inject = [join(import.meta.dirname, 'untiered.js')]

/** A plugin for esbuild. */
export const leaner = {
  name: 'leaner',
  setup({ initialOptions, onResolve, onLoad }) {
    for (const { by, name, contents } of instead) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ importer }) =>
        importer.replaceAll('\\', '/').includes(by) ? { path: name, namespace: `for ${by}` } : undefined,
      )
      onLoad({ filter: new RegExp(`^${name}$`), namespace: `for ${by}` }, () => ({
        contents,
        resolveDir: initialOptions.absWorkingDir,
      }))
    }
  },
}
