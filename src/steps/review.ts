import type { Finding, Verdict } from '../delivery/judging/finding.ts'
import { storyOf } from '../delivery/state.ts'
import type { Review } from '../delivery/step.ts'
import type { AgentResult } from '../ports/agent-driver.ts'
import type { Ending, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { isTestFile } from '../proof/related/related-tests.ts'
import { isSupport, subjectOf } from '../proof/witness/subject.ts'
import { readAnswer } from '../roles/answer/read-answer.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { type Claim, reviewContract } from '../roles/verifier/contract.ts'
import { verifierPrompt } from '../roles/verifier/prompt.ts'
import { isQuoted } from '../roles/verifier/quotation.ts'
import { hashOf } from '../std/hash.ts'
import { fateOf } from './agent/failure.ts'
import { askReader } from './agent/reader.ts'
import { resultFileOf } from './agent/turn.ts'
import { repositoryFor, requestOf } from './place/request.ts'
import { readText } from './place/text.ts'
import type { StepWorld } from './world.ts'

type Reviewing = Performance<Review>

const longestPatch = 1_000_000

/** An agent that has written nothing of it judges a story's commit, in a clean copy and a session of its own. */
export async function review(world: StepWorld, performance: Reviewing): Promise<Ending> {
  const { step } = performance
  const repository = await repositoryFor(world, performance.state)
  const patch = world.redact(await repository.patch(step.base, step.commit, longestPatch))
  const prompt = await promptFor(world, performance, { repository, patch })
  const { commit, attempt, round } = step
  const turn = { role: 'verifier', prompt, attempt, round }
  const result = await askReader(world, performance, { repository, commit, ...turn })
  if (result.status === 'finished')
    return judged(step, await verdictIn(world, performance, { repository, patch, result }))
  if (result.question !== null) return judged(step, none(`the verifier asked: ${world.redact(result.question.text)}`))
  const fate = fateOf(world, performance, { result, session: null })
  return fate.type !== 'failed' ? fate : judged(step, none(`the verifier's turn failed: ${fate.message}`))
}

async function promptFor(
  world: StepWorld,
  performance: Reviewing,
  { repository, patch }: { repository: Repository; patch: string },
): Promise<Prompt> {
  const { state, step, try: number } = performance
  const beside = (what: string): string => world.places.result(state.id, `${step.id}-${number}.${what}`)
  const { tests } = subjectOf(await repository.diff(step.base, step.commit))
  return verifierPrompt({
    story: storyOf(state, step.story).spec,
    commit: step.commit,
    silences: await silencesOf(world, performance),
    requirement: requestOf(state).requirement,
    patch,
    tests: tests.map(({ path }) => path),
    files: {
      story: beside('story.md'),
      requirement: beside('requirement.md'),
      patch: beside('change.diff'),
      result: resultFileOf(world, performance),
    },
  })
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
  result: AgentResult
}

async function verdictIn(world: StepWorld, performance: Reviewing, answered: Answered): Promise<Verdict> {
  const file = await readText(resultFileOf(world, performance))
  const written = { file: file === null ? null : world.redact(file), text: world.redact(answered.result.text) }
  const { value, problems } = readAnswer(reviewContract(performance.step.commit), written)
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
  { file: named, line, message, evidence }: Claim,
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
