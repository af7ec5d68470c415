// What libraries load at their start though pubctl never uses it. It is left out of the bundle, since loading it would
// take longer than many a command does.

/** What a library asks for, by the library, and what it gets instead. */
const instead = [
  // Commands that are programs of their own, of which there are none.
  { library: 'commander', asksFor: 'node:child_process', gets: 'module.exports = {}' },
]

/** A plugin for esbuild. */
export const leaner = {
  name: 'leaner',
  setup({ onResolve, onLoad }) {
    for (const [index, { library, asksFor, gets }] of instead.entries()) {
      onResolve({ filter: new RegExp(`^${asksFor}$`) }, ({ importer }) =>
        importer.replaceAll('\\', '/').includes(`/node_modules/${library}/`)
          ? { path: String(index), namespace: 'leaner' }
          : undefined,
      )
      onLoad({ filter: new RegExp(`^${index}$`), namespace: 'leaner' }, () => ({ contents: gets }))
    }
  },
}
