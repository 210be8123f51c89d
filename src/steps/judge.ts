import type { Outcome } from '../delivery/events.ts'
import { blocks, type Finding, type Verdict } from '../delivery/judging/finding.ts'
import { policyOf, storyOf } from '../delivery/state.ts'
import type { Judge } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import { inspect } from '../proof/inspection/inspect.ts'
import { scriptClosure } from '../proof/inspection/script-closure.ts'
import { scopeFindings } from '../proof/scope/scope.ts'
import { ownText } from '../roles/coder/prompt.ts'
import { invariant } from '../std/never.ts'
import type { BaseRuns } from './check/base-runs.ts'
import { criteriaVerdict } from './check/criteria/criteria.ts'
import { typedAtRoot } from './check/lines.ts'
import { relatedVerdict } from './check/related.ts'
import type { Bench, Court } from './check/run-check.ts'
import { checkVerdict } from './check/verdict.ts'
import { witnessVerdict } from './check/witness/witness.ts'
import { repositoryFor } from './place/request.ts'
import type { StepWorld } from './world.ts'

/** One judge's word on one commit. */
export async function judge(world: StepWorld, performance: Performance<Judge>, bases: BaseRuns): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const verdict = await verdictOf({ world, performance, repository }, bases)
  const { id, story, judge, scope, commit, tree } = step
  return { type: 'Judged', step: id, story, judge, scope, commit, tree, verdict }
}

async function verdictOf(court: Court, bases: BaseRuns): Promise<Verdict> {
  const [kind, name] = court.performance.step.judge.split(/:(.*)/s)
  if (kind === 'check') return await checkVerdict(benchFor(court, name), bases)
  if (kind === 'related') return await relatedVerdict(benchFor(court, name), bases)
  if (kind === 'witness') return await witnessVerdict(court)
  if (kind === 'criteria') return await criteriaVerdict(court)
  return await byInspection(court)
}

function benchFor(court: Court, name: string | undefined): Bench {
  const { state, step } = court.performance
  const check = policyOf(state).checks.find((one) => one.name === name)
  invariant(check !== undefined, `the policy has no ${step.judge}`)
  return { ...court, check }
}

async function byInspection({ world, performance, repository }: Court): Promise<Verdict> {
  const { state, step } = performance
  invariant(step.judge === 'inspection' && step.story !== null, `nobody is called ${step.judge}`)
  const { checks, setup, protect } = policyOf(state)
  const story = storyOf(state, step.story).spec
  const lines = await Promise.all(checks.map((check) => typedAtRoot(repository, check, step.base)))
  const commands = [...lines.flat(), ...(setup === null ? [] : [setup.run])]
  const [changes, closure] = await Promise.all([
    repository.diff(step.base, step.commit),
    scriptClosure({ commands, readFile: (path) => repository.readFile(step.base, path) }),
  ])
  const code = await world.code()
  const inspected = inspect({ changes, story, closure, protect, ownText, code })
  const beyond = await scopeFindings({ changes, story, scan: await world.secrets() })
  const findings = [...inspected.findings, ...beyond]
  const concerns = [
    ...inspected.concerns,
    ...beyond.filter(isConcern).map(({ message }) => `${step.story}: ${message}`),
  ]
  if (findings.length === 0) return { status: 'passed', proof: null, concerns }
  return { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns }
}

/** Nothing to mend, but people should know. */
const isConcern = ({ severity }: Finding): boolean => severity === 'suggestion'
