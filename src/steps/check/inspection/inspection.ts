import { blocks, type Finding, type Verdict } from '../../../delivery/judging/finding.ts'
import { policyOf, storyOf } from '../../../delivery/state.ts'
import { inspect } from '../../../proof/inspection/inspect.ts'
import { scriptClosure } from '../../../proof/inspection/script-closure.ts'
import { duplicateFindings } from '../../../proof/scope/duplicates/duplicates.ts'
import { scopeFindings } from '../../../proof/scope/scope.ts'
import { ownText } from '../../../roles/prompt/rules.ts'
import { invariant } from '../../../std/never.ts'
import { typedAtRoot } from '../lines.ts'
import type { Court } from '../run-check.ts'
import { fileRuleFindings } from './file-rules.ts'

/** What the diff of a story says by itself. */
export async function inspectionVerdict(court: Court): Promise<Verdict> {
  const { world, performance, repository } = court
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
  const files = {
    list: () => repository.listFiles(step.commit),
    read: (paths: readonly string[]) => repository.readFiles(step.commit, paths),
  }
  const beyond = [
    ...(await scopeFindings({ changes, story, scan: await world.secrets() })),
    ...(await duplicateFindings(changes, { code, files })),
  ]
  const findings = [...(await fileRuleFindings(court, changes)), ...inspected.findings, ...beyond]
  const concerns = [
    ...inspected.concerns,
    ...beyond.filter(isConcern).map(({ message }) => `${step.story}: ${message}`),
  ]
  if (findings.length === 0) return { status: 'passed', proof: null, concerns }
  return { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns }
}

/** Nothing to mend, but people should know. */
const isConcern = ({ severity }: Finding): boolean => severity === 'suggestion'
