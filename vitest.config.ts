import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['litecd-source'] },
  ssr: { resolve: { conditions: ['litecd-source', 'node', 'import', 'default'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
