// For tests: one commit that was proven by one check.
import { type Proven, type Statement, statementOf } from '../../src/proof/statement.ts'

const [commit, tree, chain] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(64)]

export const proven: Proven = {
  commit,
  tree,
  checks: [
    {
      name: 'test',
      command: 'npm test',
      counts: { total: 3, passed: 3, failed: 0, skipped: 0 },
      durationMs: 120,
      environmentKey: 'k1',
      outputDigest: 'd'.repeat(64),
      timeoutMs: 1000,
      parser: 'auto',
      report: null,
      packages: [],
      concerns: [],
      relative: false,
    },
  ],
  proof: {
    delivery: 'd1',
    story: 'dates',
    chain,
    provenBy: { commit, tree },
    reviewers: [],
    setup: null,
    workspace: { ports: 0, services: [], copy: [] },
  },
}

export const sample = (): Statement => statementOf(proven)

export const sampleFacts = {
  commit,
  tree,
  message: `Refuse dates\n\nBecause.\n\nRopewalk-Delivery: d1\nRopewalk-Story: dates\nRopewalk-Chain: ${chain}\n`,
}
