#!/usr/bin/env node
'use strict'
const process = require('node:process')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`pubctl needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else if (!saysVersion(process.argv.slice(2))) {
  const { load } = require('../dist/start.js')
  const place = { env: process.env, home: require('node:os').homedir(), platform: process.platform }
  const { Interrupted, main, realWorld } = load('./main.js', place, require)
  let controller
  // Made when it is first used, as by no help, of whose 31 ms it would take 1.
  const stop = () => {
    controller ??= new AbortController()
    return controller
  }
  // SIGBREAK is Ctrl-Break of Windows, which asks for the same as Ctrl-C.
  const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGBREAK: 130, SIGTERM: 143 }
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      // The first signal lets the command leave things in order; a second one does not wait for that.
      if (stop().signal.aborted) exit(exitCode)
      stop().abort(new Interrupted(signal === 'SIGBREAK' ? 'SIGINT' : signal))
    })
  }
  const argv = process.argv.slice(2)
  const world = realWorld(() => stop().signal)
  // Node ends with 0 when it has nothing left to wait for, also where a command still waits for what can no longer come.
  process.once('beforeExit', () => {
    process.exitCode = 1
    main(argv, world, async () => {
      throw new Error('the command ended before all of it was done')
    }).then(exit)
  })
  // All that was to be written has been taken by then. For Node to take itself apart would cost a short command 3 %.
  main(argv, world).then(exit)
}

function exit(code) {
  if (code === 129) {
    // As it ends, Node aborts where it cannot set a terminal back to how it was, as it cannot once that has hung up.
    for (const fd of [0, 1, 2]) {
      try {
        require('node:fs').closeSync(fd)
      } catch {
        // It was closed from the start.
      }
    }
  }
  process.exit(code)
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
