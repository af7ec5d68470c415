import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/outside-ci.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
