import type { Outcome } from '../delivery/events.ts'
import { type Handoff, noHandoff } from '../delivery/handoff/handoff.ts'
import { policyOf, storyOf } from '../delivery/state.ts'
import type { CodeStory } from '../delivery/step.ts'
import type { Session } from '../delivery/story/story.ts'
import type { AgentResult } from '../ports/agent-driver.ts'
import type { Ending, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { handoffContract } from '../roles/coder/handoff.ts'
import { fateOf } from './agent/failure.ts'
import { keepReport, keptReport, type Report, reportOf } from './agent/handoff.ts'
import { permissionText } from './agent/permission.ts'
import { sessionOf, storyPrompt } from './agent/story-prompt.ts'
import { takeTurn } from './agent/turn.ts'
import { workMessage } from './commit/message.ts'
import { holding } from './place/hold.ts'
import { codedRef, setRef } from './place/refs.ts'
import { repositoryFor } from './place/request.ts'
import { openWorkspace, reopen } from './place/workspace.ts'
import type { StepWorld } from './world.ts'

type Coding = Performance<CodeStory>

/** One coding turn in the attempt's workspace: an agent works, and what it leaves becomes a commit. */
export async function codeStory(world: StepWorld, performance: Coding): Promise<Ending> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const finished = performance.try > 1 ? await alreadyCoded(world, performance, repository) : null
  if (finished !== null) return finished
  const session = sessionOf(performance)
  const path = world.places.workspace(state.id, step.story, step.attempt)
  const turned = await holding(world, { performance, place: path }, async () => {
    await openWorkspace(world, performance, { repository, path, keep: session?.open === true })
    return await codeIn(world, performance, { repository, path, session })
  })
  return await endingOf(world, performance, { repository, path, ...turned, began: session?.id ?? null })
}

async function codeIn(
  world: StepWorld,
  performance: Coding,
  { repository, path, session }: { repository: Repository; path: string; session: Session | null },
): Promise<Pick<Turned, 'result' | 'report'>> {
  const told = await storyPrompt(world, performance, { repository, session })
  const { model, attempt, round } = performance.step
  const result = await takeTurn(world, performance, {
    ...{ ...told, model, attempt, round },
    workspace: path,
    session: session?.id ?? null,
    totals: session?.totals ?? null,
    contract: performance.step.phase === 'code' ? handoffContract : null,
    again: 0,
  })
  if (result.status !== 'finished') return { result, report: null }
  return { result, report: await reportOf(world, performance, { ...told, place: path, result }) }
}

/** An earlier start was killed between the harvest and its outcome: the work is done and must not be paid again. */
async function alreadyCoded(world: StepWorld, performance: Coding, repository: Repository): Promise<Outcome | null> {
  const { state, step } = performance
  const commit = await repository.readRef(codedRef(state.id, step))
  if (commit === null) return null
  const session = storyOf(state, step.story).session?.id ?? null
  const { summary, handoff } = (await keptReport(world, performance)) ?? { summary: '', handoff: noHandoff }
  return coded(step, { commit, tree: await repository.treeOf(commit), summary, handoff, session })
}

interface Turned {
  repository: Repository
  path: string
  result: AgentResult
  /** Null: the turn did not finish. */
  report: Report | null
  /** The session in which the turn began, if it was not a fresh one. */
  began: string | null
}

async function endingOf(world: StepWorld, performance: Coding, turned: Turned): Promise<Ending> {
  const { step } = performance
  const { result, report } = turned
  if (report !== null) return await finished(world, performance, { ...turned, report })
  const { session } = result
  if (result.status === 'asked' && result.question !== null) {
    await archive(performance, turned, { reason: 'left by a turn that asked', keep: session !== null })
    return { ...asked(world, result.question), step: step.id, story: step.story, session }
  }
  const fate = fateOf(world, performance, { result, session: turned.began })
  const given = fate.type === 'failed' || (fate.type === 'AgentRefused' && fate.kind === 'session')
  const goesOn = !given && session !== null
  await archive(performance, turned, { reason: 'left by a turn that did not finish', keep: goesOn })
  if (fate.type !== 'failed') return fate
  const { kind, message, evidence } = fate
  return { type: 'CodingFailed', step: step.id, story: step.story, kind, message, evidence, session }
}

function asked(world: StepWorld, { text, options, permission }: NonNullable<AgentResult['question']>) {
  return {
    type: 'CoderAsked' as const,
    text: world.redact(text),
    options: options.map(world.redact),
    permission: permission === null ? null : permissionText(permission, world.redact),
  }
}

async function finished(world: StepWorld, performance: Coding, turned: Turned & { report: Report }): Promise<Outcome> {
  const { blocked } = turned.report
  if (blocked === null) return await harvested(world, performance, turned)
  const { id: step, story } = performance.step
  await archive(performance, turned, { reason: `left by a turn that ended with ${blocked.kind}`, keep: false })
  const { kind, why: message, evidence } = blocked
  return { type: 'CodingFailed', step, story, kind, message, evidence, session: turned.result.session }
}

/** At once, so that nothing depends on the workspace being opened again. */
const archive = (performance: Coding, { repository, path }: Turned, how: { reason: string; keep: boolean }) =>
  reopen(performance, { repository, path, ...how })

async function harvested(world: StepWorld, performance: Coding, turned: Turned & { report: Report }): Promise<Outcome> {
  const { state, step } = performance
  const { repository, path, result, report } = turned
  const message = workMessage(state, step.story)
  const method = policyOf(state).mergeMethod
  const snapshot = await repository.harvest({ path, base: step.base, message, method })
  world.crashPoint('code:after-harvest')
  const unchanged = snapshot.empty || snapshot.tree === (await repository.treeOf(step.from))
  if (unchanged && !storyOf(state, step.story).spec.mayBeEmpty) return empty(world, step, result)
  await keepReport(world, performance, report)
  await setRef(repository, codedRef(state.id, step), { from: null, to: snapshot.commit })
  world.crashPoint('code:after-ref')
  const { commit, tree } = snapshot
  const { summary, handoff } = report
  return coded(step, { commit, tree, summary, handoff, session: result.session })
}

const coded = (
  { id, story }: CodeStory,
  work: { commit: string; tree: string; summary: string; handoff: Handoff; session: string | null },
): Outcome => ({ type: 'StoryCoded', step: id, story, ...work })

function empty(world: StepWorld, { id, story, round }: CodeStory, { text, session }: AgentResult): Outcome {
  const message = round > 1 ? 'the agent says it is finished and changed nothing' : 'the agent changed nothing'
  const evidence = world.redact(text).trim().slice(-4_000)
  return { type: 'CodingFailed', step: id, story, kind: 'empty', message, evidence, session }
}
