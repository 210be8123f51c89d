import type { Finding, Verdict } from '../delivery/judging/finding.ts'
import { storyOf } from '../delivery/state.ts'
import type { Review } from '../delivery/step.ts'
import type { Ending, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { isTestFile } from '../proof/related/related-tests.ts'
import { isSupport, subjectOf } from '../proof/witness/subject.ts'
import type { RoleAnswer } from '../roles/answer/contract.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { isQuoted, type VerdictAnswer, type VerdictClaim, verdictContract } from '../roles/verifier/contract.ts'
import { verifierPrompt } from '../roles/verifier/prompt.ts'
import { hashOf } from '../std/hash.ts'
import { ask } from './agent/ask.ts'
import { resultFileOf } from './agent/transcript.ts'
import { settingFor } from './brief/setting.ts'
import { repositoryFor, requestOf } from './place/request.ts'
import { longestPatch } from './review/change.ts'
import type { StepWorld } from './world.ts'

type Reviewing = Performance<Review>

/** An agent that has written nothing of it judges a story's commit, in a clean copy and a session of its own. */
export async function review(world: StepWorld, performance: Reviewing): Promise<Ending> {
  const { step } = performance
  const repository = await repositoryFor(world, performance.state)
  const patch = await patchOf(world, step, repository)
  const prompt = await promptFor(world, performance, { repository, patch })
  const { commit, attempt, round } = step
  const question = { contract: verdictContract(commit), role: 'verifier', prompt, attempt, round }
  const asked = await ask(world, performance, { repository, commit, ...question })
  if (asked.type === 'answered')
    return judged(step, await verdictIn(performance, { repository, patch, answer: asked.answer }))
  return asked.type !== 'failed' ? asked : judged(step, none(`the verifier's turn failed: ${asked.message}`))
}

/** What the verifier is told. */
export async function verdictPrompt(world: StepWorld, performance: Reviewing, repository: Repository): Promise<Prompt> {
  return promptFor(world, performance, { repository, patch: await patchOf(world, performance.step, repository) })
}

const patchOf = async ({ redact }: StepWorld, { base, commit }: Review, repository: Repository): Promise<string> =>
  redact(await repository.patch(base, commit, longestPatch))

async function promptFor(
  world: StepWorld,
  performance: Reviewing,
  { repository, patch }: { repository: Repository; patch: string },
): Promise<Prompt> {
  const { state, step } = performance
  const { tests } = subjectOf(await repository.diff(step.base, step.commit))
  const brief = {
    story: storyOf(state, step.story).spec,
    commit: step.commit,
    silences: await silencesOf(world, performance),
    requirement: requestOf(state).requirement,
    patch,
    tests: tests.map(({ path }) => path),
    result: resultFileOf(world, performance),
  }
  return verifierPrompt(brief, await settingFor({ world, state, repository }, 'verifier', { story: step.story }))
}

/** Why the tries that this one repeats were no verdict. */
async function silencesOf({ log }: StepWorld, { state, step }: Reviewing): Promise<string[]> {
  if (step.retry === 0) return []
  const about = { delivery: state.id, story: step.story, types: ['Judged' as const] }
  const events = await log.query({ ...about, after: 0, limit: step.retry, from: 'last' })
  return events.flatMap(({ event }) =>
    event.type === 'Judged' && event.verdict.status === 'none' ? [event.verdict.reason] : [],
  )
}

const judged = ({ id, story, judge, commit, tree }: Review, verdict: Verdict): Ending => ({
  type: 'Judged',
  step: id,
  ...{ story, judge, commit, tree, verdict },
  scope: 'story',
})

const none = (reason: string): Verdict => ({ status: 'none', reason: reason.slice(0, 1_000) })

interface Answered {
  repository: Repository
  patch: string
  answer: RoleAnswer<VerdictAnswer>
}

async function verdictIn(performance: Reviewing, answered: Answered): Promise<Verdict> {
  const { value, problems } = answered.answer
  if (value === null) return none(`the answer is no verdict: ${problems.join('; ')}`)
  if (value.verdict === 'passed') return { status: 'passed', proof: null, concerns: [] }
  const found = await Promise.all(value.findings.map((claim) => findingOf(performance, claim, answered)))
  const blocking = found.filter(({ severity }) => severity === 'blocking')
  if (blocking.length === 0) return none('it quotes nothing that is in the change or the files it names')
  return { status: 'findings', findings: found, failures: blocking.length, proof: null, concerns: [] }
}

/** What cannot be looked up is no finding; that it was said is kept as a note. */
async function findingOf(
  { step }: Reviewing,
  { file: named, line, message, evidence }: VerdictClaim,
  { repository, patch }: Answered,
): Promise<Finding> {
  const file = named.replace(/^\.\//, '')
  const text = await repository.readFile(step.commit, file)
  const holds = isQuoted(evidence, text === null ? [patch] : [text, patch])
  const about = { source: 'verifier', file: text === null ? null : file, line: text === null ? null : line }
  const said = message.slice(0, 2_000)
  return {
    ...about,
    rule: holds ? 'verifier' : 'verifier-unfounded',
    severity: holds ? 'blocking' : 'note',
    message: holds ? said : `left out, because what it quotes is not there: ${said}`,
    evidence: evidence.slice(0, 4_000),
    fingerprint: hashOf(['verifier', file, message]),
    fixTarget: isTestFile(file, text) || isSupport(file) ? 'tests' : 'code',
  }
}
