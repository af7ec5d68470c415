// The sandbox checks every request by the contract's schemas; the client only needs to know where a request goes, what
// its inputs are called, and which fields a resource has. So for all that is not the sandbox or the contract itself,
// each file of the contract that holds nothing but declarations is worked out here, while building, and its schemas are
// replaced by their outlines: making them takes longer than many a command does, and so does loading zod.
import { join, sep } from 'node:path'
import { build } from 'esbuild'

/** A plugin for esbuild. */
export const outlinedContract = {
  name: 'outlined-contract',
  setup({ initialOptions, onResolve, onLoad }) {
    const sandbox = join(initialOptions.absWorkingDir, 'src', 'sandbox') + sep
    const loaded = new Map()
    onResolve({ filter: /\/contract\/[\w-]+\.ts$/ }, async ({ path, resolveDir, importer }) => {
      const file = join(resolveDir, path)
      if (importer.startsWith(sandbox)) return undefined
      if (!loaded.has(file)) loaded.set(file, load(file))
      const hasFunctions = Object.values(await loaded.get(file)).some(each => typeof each === 'function')
      return hasFunctions ? undefined : { path: file, namespace: 'outline' }
    })
    onLoad({ filter: /.*/, namespace: 'outline' }, async ({ path }) => ({
      contents: Object.entries(await loaded.get(path))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(outlineOf(value))}\n`)
        .join(''),
    }))
  },
}

async function load(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** Of a schema only what `fieldsOf` and `placesOf` look at; any other value as it is. */
function outlineOf(value) {
  if (Array.isArray(value)) return value.map(outlineOf)
  if (typeof value !== 'object' || value === null) return value
  if (value._zod) {
    const { type, shape, innerType, element, catchall } = value._zod.def
    if (innerType) return outlineOf(innerType)
    return { _zod: { def: outlineOf({ type, shape: shape && { ...shape }, element, catchall }) } }
  }
  const { input, output, ...rest } = value
  if (input?._zod && output?._zod) {
    const names = Object.keys(input.shape).map(name => [name, true])
    return { ...rest, input: { shape: Object.fromEntries(names) } }
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, outlineOf(each)]))
}
