import { defineConfig } from 'vitest/config'

/** Prompts are Markdown files, which the bundle holds as text. */
const markdown = {
  name: 'markdown',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(text)}`, map: null } : null,
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [markdown],
        test: {
          name: 'quick',
          include: [
            'src/**/*.test.ts',
            'test/tidy.test.ts',
            'test/tidy/**/*.test.ts',
            'test/simulation/**/*.test.ts',
            'test/contract/**/*.test.ts',
          ],
          exclude: ['test/contract/agents/real/**'],
          testTimeout: 60_000,
        },
      },
      {
        plugins: [markdown],
        test: {
          name: 'real',
          globalSetup: ['test/journeys/built.ts'],
          include: ['test/journeys/**/*.test.ts', 'test/gauntlet/**/*.test.ts'],
          exclude: ['test/journeys/agents/real/**'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [markdown],
        test: {
          name: 'agents',
          globalSetup: ['test/contract/agents/built.ts', 'test/journeys/built.ts'],
          include: ['test/contract/agents/real/**/*.test.ts', 'test/journeys/agents/real/**/*.test.ts'],
          testTimeout: 300_000,
          maxWorkers: 2,
          maxConcurrency: 3,
        },
      },
    ],
  },
})
