import { defineConfig } from 'vitest/config'

/**
 * What needs real Elasticsearch and OpenSearch servers: they are installed where they are missing, and started by the
 * tests. `npm run verify` runs these.
 */
export default defineConfig({
  test: {
    include: ['test/engines/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/engine-servers.ts'],
    testTimeout: 30 * 60_000,
    hookTimeout: 30 * 60_000,
    // One file at a time: they share two cores with the servers.
    fileParallelism: false,
  },
})
