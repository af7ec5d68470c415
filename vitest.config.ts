import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/outside-ci.ts'],
    // No test changes modules, so the files of one worker can share them, which saves a third of the processor's time.
    isolate: false,
    // Many tests wait for clocks and processes, so one worker for each processor is not too much.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for can take seconds on a busy machine; the default is one second.
    expect: { poll: { timeout: 30_000 } },
  },
})
