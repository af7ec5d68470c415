import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Each Node.js that has this variable reads the file when it starts, which takes as long again. npm alone may need it.
const authorities = process.env['NODE_EXTRA_CA_CERTS']
delete process.env['NODE_EXTRA_CA_CERTS']
// All servers of the tests are on this machine, and curl would ask a proxy for them.
const proxies = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = '']) =>
    /^(https?|all|no)_proxy$/i.test(name) ? [[name, value] as const] : [],
  ),
)
for (const name of Object.keys(proxies)) delete process.env[name]

// A worker runs much of the program once or twice: to optimise less of it, and to clear up the memory less often and without help
// of threads, which the other workers keep busy, saves nearly a quarter of its time. A Node.js need not have any of these options,
// and those of later V8 have no interrupt budget.
const frugal = [
  '--interrupt-budget=1000000',
  '--min-semi-space-size=16',
  '--max-semi-space-size=64',
  '--initial-heap-size=1000',
  '--single-threaded-gc',
]
const isKnown = (options: readonly string[]) =>
  spawnSync(process.execPath, [...options, '-e', '0']).status === 0
const known = () => (isKnown(frugal) ? frugal : frugal.filter(option => isKnown([option])))

export default defineConfig({
  test: {
    provide: { authorities, proxies },
    include: ['test/**/*.test.ts'],
    globalSetup: ['transform-ahead', 'run-folder', 'loopback', 'build', 'used-program', 'artefacts-folder'].map(name => `test/support/machine/${name}.ts`),
    setupFiles: ['test/support/machine/outside-ci.ts', 'test/support/servers/schemas.ts'],
    // No test changes modules, so the files of one worker can share them, which saves a third of the processor's time. The slow
    // tests measure, and V8 optimises no further regular expressions in a process that has compiled a megabyte of them and holds
    // 16 MiB of compiled code: the width of a character then takes sixty times as long.
    isolate: Boolean(process.env['SLOW']),
    execArgv: process.env['SLOW'] ? [] : known(),
    // Many tests wait for processes and clocks. More workers would wait less, and each takes the processor a dozen seconds to load
    // and to optimise what others have, too. The slow tests measure memory, and have the processors to themselves.
    maxWorkers: availableParallelism() + (process.env['SLOW'] ? 0 : 2),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for can take seconds on a busy machine; the default is one second.
    expect: { poll: { timeout: 30_000 } },
  },
})
