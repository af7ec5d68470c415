#!/usr/bin/env node
'use strict'
const process = require('node:process')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`pubctl needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else if (!saysVersion(process.argv.slice(2))) {
  const { load } = require('../dist/start.js')
  const world = { env: process.env, home: require('node:os').homedir(), platform: process.platform }
  const { Interrupted, main, realWorld } = load('./main.js', world, require)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      // The first signal lets the command leave things in order; a second one does not wait for that.
      if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
      stop.abort(new Interrupted(signal))
    })
  }
  // All that was to be written has been taken by then. For Node to take itself apart would cost a short command 3 %.
  main(process.argv.slice(2), realWorld(stop.signal)).then(code => process.exit(code))
}

/** Answers what is asked most often without loading anything; whatever is not that simple is left to the program. */
function saysVersion(argv) {
  if (argv.length !== 1 || (argv[0] !== '--version' && argv[0] !== '-V')) return false
  try {
    require('node:fs').writeSync(1, `${require('../package.json').version}\n`)
    return true
  } catch {
    return false
  }
}
