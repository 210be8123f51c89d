import type { Outcome } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Dependency } from '../delivery/inputs/briefing.ts'
import type { CodeStory } from '../delivery/step.ts'
import { type Handoff, noHandoff } from '../delivery/story/handoff.ts'
import type { Session } from '../delivery/story/story.ts'
import type { AgentResult } from '../ports/agent-driver.ts'
import type { Ending } from '../ports/performer.ts'
import type { Ancestry, Commits, FileChange } from '../ports/repository/commits.ts'
import type { Refs } from '../ports/repository/landings.ts'
import type { Workspaces } from '../ports/repository/workspaces.ts'
import { subjectOf } from '../proof/witness/subject.ts'
import { handoffContract } from '../roles/coder/handoff.ts'
import { type Changed, type CoderBrief, coderPrompt, testWriterPrompt, type WorkBrief } from '../roles/coder/prompt.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import type { PromptName } from '../roles/sees.ts'
import { fateOf } from './agent/failure.ts'
import { type CoderReport, keepReport, keptReport, reportOf } from './agent/handoff.ts'
import { settingFor } from './agent/setting.ts'
import { permissionText } from './agent/supervise.ts'
import { takeTurn } from './agent/turn.ts'
import { resultFileOf } from './agent/turn-record.ts'
import { workMessage } from './merge/message.ts'
import { holding } from './place/clean.ts'
import { codedRef, setRef } from './place/refs.ts'
import { readyWorkspace, reopen } from './place/workspace.ts'
import type { Copies, StepWork } from './work.ts'

type Coding = StepWork<CodeStory, Copies & Ancestry & Workspaces & Refs>

/** One coding turn in the attempt's workspace: an agent works, and what it leaves becomes a commit. */
export async function codeStory(work: Coding): Promise<Ending> {
  const { world, input, step } = work
  const finished = work.try > 1 ? await alreadyCoded(work) : null
  if (finished !== null) return finished
  const session = ownSession(work)
  const path = world.places.workspace(input.delivery, step.story, step.attempt)
  const turned = await holding(work, path, async () => {
    await readyWorkspace(work, path, session?.open === true)
    return await codeIn(work, path)
  })
  return await endingOf(work, { path, ...turned, began: session?.id ?? null })
}

async function codeIn(work: Coding, path: string): Promise<Pick<Turned, 'result' | 'report'>> {
  const session = ownSession(work)
  const told = await storyPrompt(work)
  const { model, attempt, round } = work.step
  const result = await takeTurn(work, {
    ...{ ...told, model, attempt, round },
    workspace: path,
    session: session?.id ?? null,
    totals: session?.totals ?? null,
    contract: work.step.phase === 'code' ? handoffContract : null,
    again: 0,
  })
  if (result.status !== 'finished') return { result, report: null }
  return { result, report: await reportOf(work, { ...told, place: path, result }) }
}

/** An earlier start was killed between the harvest and its outcome: the work is done and must not be paid again. */
async function alreadyCoded(work: Coding): Promise<Outcome | null> {
  const { input, step, repository } = work
  const commit = await repository.readRef(codedRef(input.delivery, step))
  if (commit === null) return null
  const session = input.session?.id ?? null
  const { summary, handoff } = (await keptReport(work)) ?? { summary: '', handoff: noHandoff }
  return coded(step, { commit, tree: await repository.treeOf(commit), summary, handoff, session })
}

interface Turned {
  path: string
  result: AgentResult
  /** Null: the turn did not finish. */
  report: CoderReport | null
  /** The session in which the turn began, if it was not a fresh one. */
  began: string | null
}

async function endingOf(work: Coding, turned: Turned): Promise<Ending> {
  const { step } = work
  const { result, report } = turned
  if (report !== null) return await finished(work, { ...turned, report })
  const { session } = result
  if (result.status === 'asked' && result.question !== null) {
    await archive(work, turned, { reason: 'left by a turn that asked', keep: session !== null })
    return { ...asked(work, result.question), step: step.id, story: step.story, session }
  }
  const fate = fateOf(work, { result, session: turned.began })
  const given = fate.type === 'failed' || (fate.type === 'AgentRefused' && fate.kind === 'session')
  const goesOn = !given && session !== null
  await archive(work, turned, { reason: 'left by a turn that did not finish', keep: goesOn })
  if (fate.type !== 'failed') return fate
  const { kind, message, evidence } = fate
  return { type: 'CodingFailed', step: step.id, story: step.story, kind, message, evidence, session }
}

function asked({ world }: Coding, { text, options, permission }: NonNullable<AgentResult['question']>) {
  return {
    type: 'CoderAsked' as const,
    text: world.redact(text),
    options: options.map(world.redact),
    permission: permission === null ? null : permissionText(permission, world.redact),
  }
}

async function finished(work: Coding, turned: Turned & { report: CoderReport }): Promise<Outcome> {
  const { blocked } = turned.report
  if (blocked === null) return await harvested(work, turned)
  const { id: step, story } = work.step
  await archive(work, turned, { reason: `left by a turn that ended with ${blocked.kind}`, keep: false })
  const { kind, why: message, evidence } = blocked
  return { type: 'CodingFailed', step, story, kind, message, evidence, session: turned.result.session }
}

/** At once, so that nothing depends on the workspace being opened again. */
const archive = (work: Coding, { path }: Turned, how: { reason: string; keep: boolean }) =>
  reopen(work, { path, ...how })

async function harvested(work: Coding, { path, result, report }: Turned & { report: CoderReport }): Promise<Outcome> {
  const { world, input, step, repository } = work
  const how = { message: workMessage(input), method: input.policy.mergeMethod }
  const snapshot = await repository.harvest({ path, base: step.base, ...how })
  world.crashPoint('code:after-harvest')
  const unchanged = snapshot.empty || snapshot.tree === (await repository.treeOf(step.from))
  if (unchanged && !input.spec.mayBeEmpty) return empty(work, result)
  await keepReport(work, report)
  await setRef(repository, codedRef(input.delivery, step), { from: null, to: snapshot.commit })
  world.crashPoint('code:after-ref')
  const { commit, tree } = snapshot
  const { summary, handoff } = report
  return coded(step, { commit, tree, summary, handoff, session: result.session })
}

const coded = (
  { id, story }: CodeStory,
  work: { commit: string; tree: string; summary: string; handoff: Handoff; session: string | null },
): Outcome => ({ type: 'StoryCoded', step: id, story, ...work })

function empty({ world, step: { id, story, round } }: Coding, { text, session }: AgentResult): Outcome {
  const message = round > 1 ? 'the agent says it is finished and changed nothing' : 'the agent changed nothing'
  const evidence = world.redact(text).trim().slice(-4_000)
  return { type: 'CodingFailed', step: id, story, kind: 'empty', message, evidence, session }
}

/** Who takes the turn, and what it is told: whoever writes tests is told nothing else. */
export async function storyPrompt(work: Coding): Promise<{ role: string; prompt: Prompt }> {
  const { input, step, repository } = work
  const { files, contextFiles } = input.spec
  const brief = await briefFor(work)
  const done = step.from === step.base ? [] : await repository.diff(step.base, step.from)
  const paths = [...files, ...contextFiles, ...done.map(({ path }) => path)]
  const setting = (name: PromptName) => settingFor(work, name, { paths })
  if (step.phase === 'tests') {
    const plan = input.kind === 'acceptance' ? input.others : null
    const name = plan === null ? 'test-writer' : 'test-writer-acceptance'
    return { role: 'test-writer', prompt: testWriterPrompt({ ...brief, plan }, await setting(name)) }
  }
  const about = { ...brief, red: await redOf(work), unnoticed: input.unnoticed }
  return { role: 'coder', prompt: coderPrompt(about, await setting('coder')) }
}

/** The one that goes on, if it is the same agent's. */
export const ownSession = ({ input: { session }, step }: Coding): Session | null =>
  session?.agent === step.agent ? session : null

/** What whoever works on the story may see of the delivery. */
async function briefFor(work: Coding): Promise<WorkBrief> {
  const { input, step, repository } = work
  const session = ownSession(work)
  return {
    story: input.spec,
    requirement: input.request.requirement,
    findings: step.findings,
    past: input.past,
    dependencies: await Promise.all(input.dependencies.map((one) => changedBy(one, repository))),
    siblings: input.siblings,
    checks: input.policy.checks,
    resumed: session === null ? 'no' : session.open ? 'where-it-was' : 'at-the-commit',
    result: resultFileOf(work),
  }
}

/** What it truly changed, and not what it said it would; of what has landed with others, what it declared has to do. */
async function changedBy({ spec: story, work }: Dependency, repository: Commits): Promise<Changed> {
  if (work === null) return { story, changed: story.files.map((path) => `perhaps ${path}`) }
  return { story, changed: (await repository.diff(work.base, work.commit)).map(changeText) }
}

const changeText = ({ status, path, oldPath }: FileChange): string =>
  `${status} ${path}${oldPath === null ? '' : ` (was ${oldPath})`}`

/** The tests that were shown to fail before the code. */
async function redOf({ input, step, repository }: Coding): Promise<CoderBrief['red']> {
  if (input.red === null) return null
  const before = await beforeRed(repository, input.red, step.base)
  const { tests } = subjectOf(await repository.diff(before, input.red))
  return { files: tests.map(({ path }) => path), theirs: input.isVerified }
}

/** The commit on which the tests were written that were shown to fail; the line may have gone on to `base` since. */
export async function beforeRed(repository: Ancestry, red: CommitId, base: CommitId): Promise<CommitId> {
  const [first] = await repository.history({ from: base, to: red, limit: 1_000 })
  return first?.parent ?? base
}
