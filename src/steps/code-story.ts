import type { Outcome } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Dependency } from '../delivery/inputs/briefing.ts'
import type { CodeStory } from '../delivery/step.ts'
import { noHandoff } from '../delivery/story/handoff.ts'
import type { Session } from '../delivery/story/story.ts'
import type { AgentResult } from '../ports/agent-driver.ts'
import type { Ending } from '../ports/performer.ts'
import type { Ancestry, Commits, FileChange } from '../ports/repository/commits.ts'
import type { Refs } from '../ports/repository/landings.ts'
import type { Workspaces } from '../ports/repository/workspaces.ts'
import { subjectOf } from '../proof/witness/subject.ts'
import { handoffContract } from '../roles/coder/handoff.ts'
import { type Changed, coderPrompt, testWriterPrompt, type WorkBrief } from '../roles/coder/prompt.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { fateOf } from './agent/failure.ts'
import { type CoderReport, keepReport, keptReport, reportOf } from './agent/handoff.ts'
import { settingFor } from './agent/setting.ts'
import { permissionText } from './agent/supervise.ts'
import { takeTurn } from './agent/turn.ts'
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
  const { result, report } = await holding(work, path, async () => {
    await readyWorkspace(work, path, session?.open === true)
    const prompt = await storyPrompt(work)
    const result = await takeTurn(work, {
      ...{ prompt, workspace: path, session: session?.id ?? null, totals: session?.totals ?? null, again: 0 },
      contract: step.phase === 'code' ? handoffContract : null,
    })
    const report = result.status === 'finished' ? await reportOf(work, { prompt, place: path, result }) : null
    return { result, report }
  })
  return report === null ? await unfinished(work, path, result) : await finishedBy(work, path, { result, report })
}

/** An earlier start was killed between the harvest and its outcome: the work is done and must not be paid again. */
async function alreadyCoded(work: Coding): Promise<Outcome | null> {
  const { input, step, repository } = work
  const commit = await repository.readRef(codedRef(input.delivery, step))
  if (commit === null) return null
  const session = input.session?.id ?? null
  const report = (await keptReport(work)) ?? { summary: '', handoff: noHandoff }
  const tree = await repository.treeOf(commit)
  return { type: 'StoryCoded', step: step.id, story: step.story, commit, tree, ...report, session }
}

/** What is left is archived at once, so that nothing depends on the workspace being opened again. */
async function unfinished(work: Coding, path: string, result: AgentResult): Promise<Ending> {
  const { id: step, story } = work.step
  const { redact } = work.world
  const { session, question } = result
  if (result.status === 'asked' && question !== null) {
    await reopen(work, { path, reason: 'left by a turn that asked', keep: session !== null })
    const { text, options, permission } = question
    return {
      ...{ type: 'CoderAsked', step, story, text: redact(text), options: options.map(redact), session },
      permission: permission === null ? null : permissionText(permission, redact),
    }
  }
  const fate = fateOf(work, result, ownSession(work)?.id ?? null)
  const isGivenUp = fate.type === 'failed' || (fate.type === 'AgentRefused' && fate.kind === 'session')
  await reopen(work, { path, reason: 'left by a turn that did not finish', keep: !isGivenUp && session !== null })
  return fate.type === 'failed' ? { ...fate, type: 'CodingFailed', step, story, session } : fate
}

async function finishedBy(
  work: Coding,
  path: string,
  { result, report }: { result: AgentResult; report: CoderReport },
): Promise<Outcome> {
  const { world, input, repository } = work
  const { id: step, story, base, from, round } = work.step
  const { session } = result
  const { summary, handoff, blocked } = report
  if (blocked !== null) {
    await reopen(work, { path, reason: `left by a turn that ended with ${blocked.kind}`, keep: false })
    const { kind, why: message, evidence } = blocked
    return { type: 'CodingFailed', step, story, kind, message, evidence, session }
  }
  const how = { message: workMessage(input), method: input.policy.mergeMethod }
  const { commit, tree, empty } = await repository.harvest({ path, base, ...how })
  world.crashPoint('code:after-harvest')
  if ((empty || tree === (await repository.treeOf(from))) && !input.spec.mayBeEmpty) {
    const message = round > 1 ? 'the agent says it is finished and changed nothing' : 'the agent changed nothing'
    const evidence = world.redact(result.text).trim().slice(-4_000)
    return { type: 'CodingFailed', step, story, kind: 'empty', message, evidence, session }
  }
  await keepReport(work, report)
  await setRef(repository, codedRef(input.delivery, work.step), { from: null, to: commit })
  world.crashPoint('code:after-ref')
  return { type: 'StoryCoded', step, story, commit, tree, summary, handoff, session }
}

/** What whoever takes the turn is told: whoever writes tests is told nothing else. */
export async function storyPrompt(work: Coding): Promise<Prompt> {
  const { input, step, repository } = work
  const { files, contextFiles } = input.spec
  const session = ownSession(work)
  const done = step.from === step.base ? [] : await repository.diff(step.base, step.from)
  const paths = [...files, ...contextFiles, ...done.map(({ path }) => path)]
  const brief: WorkBrief = {
    ...{ ...input, findings: step.findings, checks: input.policy.checks },
    red: step.phase === 'code' ? await redOf(work) : null,
    dependencies: await Promise.all(input.dependencies.map((one) => changedBy(one, repository))),
    resumed: session === null ? 'no' : session.open ? 'where-it-was' : 'at-the-commit',
  }
  if (step.phase === 'code') return coderPrompt(brief, await settingFor(work, 'coder', paths))
  const isWhole = input.kind === 'acceptance'
  const name = isWhole ? 'test-writer-acceptance' : 'test-writer'
  return testWriterPrompt(brief, isWhole ? input.others : null, await settingFor(work, name, paths))
}

/** The one that goes on, if it is the same agent's. */
export const ownSession = ({ input: { session }, step }: Coding): Session | null =>
  session?.agent === step.agent ? session : null

/** What it truly changed, and not what it said it would; of what has landed with others, what it declared has to do. */
async function changedBy({ spec: story, work }: Dependency, repository: Commits): Promise<Changed> {
  if (work === null) return { story, changed: story.files.map((path) => `perhaps ${path}`) }
  return { story, changed: (await repository.diff(work.base, work.commit)).map(changeText) }
}

const changeText = ({ status, path, oldPath }: FileChange): string =>
  `${status} ${path}${oldPath === null ? '' : ` (was ${oldPath})`}`

/** The tests that were shown to fail before the code. */
async function redOf({ input, step, repository }: Coding): Promise<WorkBrief['red']> {
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
