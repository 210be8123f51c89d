// A story that is coded for real, and steps that judge it, whatever the law would do next.
import type { Interim } from '../../../../src/delivery/events.ts'
import { inputOf } from '../../../../src/delivery/inputs/input.ts'
import type { Finding } from '../../../../src/delivery/judging/finding.ts'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import type { ReviewWord } from '../../../../src/delivery/review/review.ts'
import type { ReproduceFindings, ReviewStory, TriageFindings } from '../../../../src/delivery/step.ts'
import type { Ending } from '../../../../src/ports/performer.ts'
import { performers } from '../../../../src/steps/perform.ts'
import { defaults } from '../../../default-settings.ts'
import { agentOf, check, openYard, type Yard } from '../yard.ts'

export const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
export const code =
  'export const total = (prices, discount) => {\n  const sum = prices.reduce((a, b) => a + b)\n  return sum\n}\n'
export const commit = '$ROPEWALK_COMMIT'

export const wrong = {
  severity: 'blocking',
  file: 'src/total.mjs',
  line: 3,
  message: 'The discount is ignored.',
  evidence: 'return sum',
}
export const approval = { commit, verdict: 'approve', findings: [], checked: ['src/total.mjs, line by line'] }
export const refusal = { commit, verdict: 'needs-work', findings: [wrong], checked: [] }

export interface Stage {
  yard: Yard
  about: { base: string; commit: string; tree: string }
  review(given?: Partial<ReviewStory>, how?: How): Promise<Done>
  triage(findings: Finding[], given?: Partial<TriageFindings>): Promise<Done>
  reproduce(findings: Finding[]): Promise<Done>
}

interface How {
  signal?: AbortSignal
}

export interface Done {
  ending: Ending
  interims: Interim[]
  /** What the agent was told, turn by turn. */
  prompts: string[]
}

interface Given {
  /** Entries of the scripted agent, besides those of the coder. */
  script: unknown[]
  coder?: unknown[]
  files?: Record<string, string>
  story?: Partial<Story>
  policy?: Partial<Policy>
  review?: Partial<Policy['review']>
}

const plainFiles = {
  'src/other.mjs': 'export const other = 1\n',
  'test/other.test.mjs': `${head}test('is', () => assert.ok(1))\n`,
}

export async function openStage({ script, coder, files, story, policy, review }: Given): Promise<Stage> {
  const work = coder ?? [{ write: { 'src/total.mjs': code } }]
  const yard = await openYard({
    files: { ...plainFiles, ...files },
    stories: [{ id: 'one', criteria: ['the discount is taken off'], contextFiles: [], risks: [], ...story }],
    script: [{ role: 'coder', do: work }],
    policy: {
      agents: { mine: agentOf([{ role: 'coder', do: work }]), reader: agentOf(script) },
      review: { ...defaults.review, reviewers: [{ vantage: 'correctness', agents: ['reader'] }], ...review },
      checks: [check({ run: 'node --test', related: 'node --test {files}' })],
      ...policy,
    },
  })
  const { ending } = await yard.perform('CodeStory')
  if (ending.type !== 'StoryCoded') throw new Error(JSON.stringify(ending))
  const base = (await yard.state()).request!.base
  return stageOf(yard, { base, commit: ending.commit, tree: ending.tree })
}

function stageOf(yard: Yard, about: Stage['about']): Stage {
  const step = {
    ...{ id: 'r1', story: 'one', agent: 'reader', model: null, because: '' },
    ...about,
    ...{ revision: 1, attempt: 1, round: 1, reviewRound: 1, retry: 0 },
  }
  const reviewing: ReviewStory = {
    ...{ ...step, verb: 'ReviewStory', vantage: 'correctness' },
    ...{ since: null, open: [], rebuts: [] },
  }
  return {
    yard,
    about,
    review: (given, how) => perform(yard, { ...reviewing, ...given }, how),
    triage: (findings, given) =>
      perform(yard, { ...step, verb: 'TriageFindings', findings, outside: [], disputed: [], problems: [], ...given }),
    reproduce: (findings) => perform(yard, { ...step, verb: 'ReproduceFindings', findings }),
  }
}

async function perform(
  yard: Yard,
  step: ReviewStory | TriageFindings | ReproduceFindings,
  { signal = new AbortController().signal }: How = {},
): Promise<Done> {
  const interims: Interim[] = []
  const record = async (event: Interim): Promise<void> => void interims.push(event)
  const state = await yard.state()
  const about = {
    step,
    input: inputOf(state, step),
    standing: () => state,
    try: 1,
    mark: `test:${step.id}`,
    signal,
    record,
  }
  const ending = await performers(yard.world)(about)
  const digests = interims.flatMap((event) => (event.type === 'AgentStarted' ? [event.promptDigest] : []))
  const texts = await Promise.all(digests.map((digest) => yard.world.blobs.get(digest)))
  return { ending, interims, prompts: texts.map((text) => Buffer.from(text!).toString('utf8')) }
}

export function wordOf({ ending }: Done): ReviewWord {
  if (ending.type !== 'StoryReviewed') throw new Error(`no review, but ${JSON.stringify(ending)}`)
  return ending.word
}

export function returned(done: Done): Extract<ReviewWord, { status: 'returned' }> {
  const word = wordOf(done)
  if (word.status !== 'returned') throw new Error(`it is absent: ${word.reason}`)
  return word
}

export const concerns = ({ interims }: Done): string[] =>
  interims.flatMap((event) => (event.type === 'ConcernRaised' ? [event.text] : []))

export const finding = (given: Partial<Finding> = {}): Finding => ({
  source: 'review:correctness',
  rule: 'review',
  severity: 'blocking',
  file: 'src/total.mjs',
  line: 3,
  message: 'The discount is ignored.',
  evidence: 'return sum',
  fingerprint: 'f-discount',
  fixTarget: 'code',
  ...given,
})
