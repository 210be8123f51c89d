import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Whatever is trusted besides costs each Node process more than its own start, and no test leaves this machine.
delete process.env.NODE_EXTRA_CA_CERTS

// No project loads its modules anew for each file, which took half of the time of the quick ones: what a file leaves
// behind is removed after it.
const setupFiles = ['test/cost/meter.ts', 'test/after-file.ts']

/** By their time on the clock, most of it that of the processes they start. */
const longest = [
  ...[
    'gauntlet/generated',
    'gauntlet',
    'kill/outside',
    'kill/matrix',
    'kill/full-disk',
    'kill/',
    'leases',
    'strategies',
  ],
  ...['verify', 'travel', 'journeys/', 'steps/witness', 'steps/checks', 'exploration', 'engine/simulation'],
  ...['contract/steps', 'contract/git', 'contract/repository', 'contract/agents', 'contract/cli-driver', 'contract/'],
]

/** One more than there are processors: they wait now and then. */
const maxWorkers = availableParallelism() + 1

/** What takes longest comes first, so that nothing waits for it alone in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((word) => moduleId.includes(word))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** Prompts are Markdown files, which the bundle holds as text. */
const markdown = {
  name: 'markdown',
  enforce: 'pre' as const,
  transform: (text: string, id: string) =>
    id.endsWith('.md') ? { code: `export default ${JSON.stringify(text)}`, map: null } : null,
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [markdown],
        test: {
          setupFiles,
          name: 'quick',
          isolate: false,
          include: [
            'src/**/*.test.ts',
            'test/tidy.test.ts',
            'test/tidy/**/*.test.ts',
            'test/cost/**/*.test.ts',
            'test/simulation/**/*.test.ts',
            'test/contract/**/*.test.ts',
          ],
          exclude: ['test/contract/agents/real/**'],
          testTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        plugins: [markdown],
        test: {
          setupFiles: [...setupFiles, 'test/after-journey.ts'],
          name: 'real',
          isolate: false,
          globalSetup: ['test/journeys/built.ts'],
          include: ['test/journeys/**/*.test.ts', 'test/gauntlet/**/*.test.ts'],
          exclude: ['test/journeys/agents/real/**'],
          testTimeout: 420_000,
          maxWorkers,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [markdown],
        test: {
          setupFiles: [...setupFiles, 'test/after-journey.ts'],
          name: 'agents',
          globalSetup: ['test/contract/agents/built.ts', 'test/journeys/built.ts'],
          include: ['test/contract/agents/real/**/*.test.ts', 'test/journeys/agents/real/**/*.test.ts'],
          testTimeout: 300_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          maxConcurrency: 2,
        },
      },
    ],
  },
})
