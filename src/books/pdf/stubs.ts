/**
 * What pdf.js looks for as it is loaded, and needs only to draw or to write: without the classes of browsers it prints warnings;
 * `Response` would load all of Node's fetch, which takes a quarter of the time until the thread is ready; and the library that
 * draws is native code, of whatever package has its name where pubctl is installed.
 */
class Stub {}
Object.assign(globalThis, { DOMMatrix: Stub, ImageData: Stub, Path2D: Stub, Response: Stub })

const { getBuiltinModule } = process
process.getBuiltinModule = ((name: string) =>
  name === 'module' ? { createRequire: () => () => ({}) } : getBuiltinModule(name)) as typeof getBuiltinModule
