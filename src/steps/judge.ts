import type { Outcome } from '../delivery/events.ts'
import type { Verdict } from '../delivery/judging/finding.ts'
import { blocks } from '../delivery/judging/finding.ts'
import { isCheck } from '../delivery/judging/judging.ts'
import { policyOf, storyOf } from '../delivery/state.ts'
import type { Judge } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { inspect } from '../proof/inspection/inspect.ts'
import { scriptClosure } from '../proof/inspection/script-closure.ts'
import { ownText } from '../roles/coder/prompt.ts'
import { invariant } from '../std/never.ts'
import type { BaseRuns } from './check/base-runs.ts'
import { checkVerdict } from './check/verdict.ts'
import { repositoryFor } from './place/request.ts'
import type { StepWorld } from './world.ts'

/** One judge's word on one commit. */
export async function judge(world: StepWorld, performance: Performance<Judge>, bases: BaseRuns): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const verdict = isCheck(step.judge)
    ? await byCheck(world, performance, { repository, bases })
    : await byInspection(performance, repository)
  const { id, story, judge, scope, commit, tree } = step
  return { type: 'Judged', step: id, story, judge, scope, commit, tree, verdict }
}

async function byCheck(
  world: StepWorld,
  performance: Performance<Judge>,
  { repository, bases }: { repository: Repository; bases: BaseRuns },
): Promise<Verdict> {
  const { state, step } = performance
  const check = policyOf(state).checks.find(({ name }) => `check:${name}` === step.judge)
  invariant(check !== undefined, `the policy has no ${step.judge}`)
  return await checkVerdict({ world, performance, repository, check }, bases)
}

async function byInspection({ state, step }: Performance<Judge>, repository: Repository): Promise<Verdict> {
  invariant(step.judge === 'inspection' && step.story !== null, `nobody is called ${step.judge}`)
  const { checks, setup, protect } = policyOf(state)
  const story = storyOf(state, step.story).spec
  const commands = [
    ...checks.flatMap(({ run, fix }) => [run, fix ?? []].flat()),
    ...(setup === null ? [] : [setup.run]),
  ]
  const [changes, closure] = await Promise.all([
    repository.diff(step.base, step.commit),
    scriptClosure({ commands, readFile: (path) => repository.readFile(step.base, path) }),
  ])
  const findings = inspect({ changes, story, closure, protect, ownText })
  if (findings.length === 0) return { status: 'passed', proof: null, concerns: [] }
  return { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns: [] }
}
