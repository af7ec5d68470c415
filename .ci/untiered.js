// Node 20 soon sets about optimising undici's parser, which takes longer than most commands do, and waits for that at its
// end. With a budget fifty times the usual one, only long listings come so far. Later versions of Node need no such thing.
function UntieredModule(bytes) {
  const { Module } = globalThis.WebAssembly
  if (!process.version.startsWith('v20.')) return new Module(bytes)
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--wasm-tiering-budget=100000000')
  try {
    return new Module(bytes)
  } finally {
    // The module keeps its budget. What V8 compiles under other flags than the usual would be of no use the next time.
    setFlagsFromString('--wasm-tiering-budget=1800000')
  }
}

export { UntieredModule as 'WebAssembly.Module' }
