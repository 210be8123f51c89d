import { blocks, type Finding, type Verdict } from '../../../delivery/judging/finding.ts'
import type { Vantage } from '../../../delivery/review/review.ts'
import { policyOf, storyOf } from '../../../delivery/state.ts'
import type { FileChange } from '../../../ports/repository.ts'
import { inspect } from '../../../proof/inspection/inspect.ts'
import { scriptClosure } from '../../../proof/inspection/script-closure.ts'
import { vantagesFor } from '../../../proof/review/vantages.ts'
import { duplicateFindings } from '../../../proof/scope/duplicates/duplicates.ts'
import { scopeFindings } from '../../../proof/scope/scope.ts'
import { ownText } from '../../../roles/prompt/rules.ts'
import { invariant } from '../../../std/never.ts'
import { typedAtRoot } from '../lines.ts'
import type { Court } from '../run-check.ts'
import { fileRuleFindings } from './file-rules.ts'

/** What the diff of a story says by itself, and from where it must be reviewed. */
export async function inspected(court: Court): Promise<{ verdict: Verdict; calls: Vantage[] }> {
  const { step } = court.performance
  const changes = await court.repository.diff(step.base, step.commit)
  const calls = vantagesFor(changes).map(({ vantage }) => vantage)
  return { verdict: await verdictOn(changes, court), calls }
}

async function verdictOn(changes: FileChange[], court: Court): Promise<Verdict> {
  const { world, performance, repository } = court
  const { state, step } = performance
  invariant(step.story !== null, 'an inspection is of a story')
  const { checks, setup, protect } = policyOf(state)
  const story = storyOf(state, step.story).spec
  const lines = await Promise.all(checks.map((check) => typedAtRoot(repository, check, step.base)))
  const commands = [...lines.flat(), ...(setup === null ? [] : [setup.run])]
  const closure = await scriptClosure({ commands, readFile: (path) => repository.readFile(step.base, path) })
  const code = await world.code()
  const inspected = inspect({ changes, story, closure, protect, ownText })
  const files = {
    list: () => repository.listFiles(step.commit),
    read: (paths: readonly string[]) => repository.readFiles(step.commit, paths),
  }
  const beyond = [
    ...(await scopeFindings({ changes, story, scan: await world.secrets() })),
    ...(await duplicateFindings(changes, { code, files })),
  ]
  const findings = [...(await fileRuleFindings(court, changes)), ...inspected, ...beyond]
  const concerns = [
    ...(changes.length === 0 ? [] : code.concerns),
    ...[...inspected.filter(({ rule }) => rule === 'senses-tests'), ...beyond]
      .filter(isConcern)
      .map(({ message }) => `${step.story}: ${message}`),
  ]
  if (findings.length === 0) return { status: 'passed', proof: null, concerns }
  return { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns }
}

/** Nothing to mend, but people should know. */
const isConcern = ({ severity }: Finding): boolean => severity === 'suggestion'
