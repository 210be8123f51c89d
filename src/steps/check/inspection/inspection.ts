import type { CommitId } from '../../../delivery/ids.ts'
import type { Finding, Verdict } from '../../../delivery/judging/finding.ts'
import type { Policy } from '../../../delivery/policy.ts'
import type { Vantage } from '../../../delivery/review/review.ts'
import { policyOf, storyOf } from '../../../delivery/state.ts'
import type { FileChange, Repository } from '../../../ports/repository.ts'
import { scriptClosure } from '../../../proof/files/script-closure.ts'
import { duplicateFindings } from '../../../proof/inspection/duplicates.ts'
import { type Inspection, inspect } from '../../../proof/inspection/inspect.ts'
import { type Scope, scopeFindings } from '../../../proof/inspection/scope.ts'
import { secretFindings } from '../../../proof/inspection/secrets.ts'
import { vantagesFor } from '../../../proof/review/vantages.ts'
import { ownText } from '../../../roles/prompt/rules.ts'
import { invariant } from '../../../std/never.ts'
import type { StepWorld } from '../../world.ts'
import { typedAtRoot } from '../lines.ts'
import type { Court } from '../run-check.ts'
import { told } from '../verdict.ts'
import { fileRuleFindings } from './file-rules.ts'

/** What the diff of a story says by itself, and from where it must be reviewed. */
export async function inspected(court: Court): Promise<{ verdict: Verdict; calls: Vantage[] }> {
  const { step } = court.performance
  const changes = await court.repository.diff(step.base, step.commit)
  const calls = vantagesFor(changes).map(({ vantage }) => vantage)
  return { verdict: await verdictOn(changes, court), calls }
}

async function verdictOn(changes: FileChange[], court: Court): Promise<Verdict> {
  const { state, step } = court.performance
  invariant(step.story !== null, 'an inspection is of a story')
  const story = storyOf(state, step.story).spec
  const { base, commit } = step
  const read = await readFindings(court, { changes, base, commit, story, policy: policyOf(state) })
  const findings = [...(await fileRuleFindings(court, changes)), ...read.findings]
  const concerns = [...read.concerns, ...findings.filter(isConcern).map(({ message }) => `${step.story}: ${message}`)]
  return told(findings, concerns)
}

/** What a diff says by itself, whoever asks. */
export async function readFindings(
  { world, repository }: { world: Pick<StepWorld, 'code' | 'secrets'>; repository: Repository },
  { changes, base, commit, story, policy }: Read,
): Promise<{ findings: Finding[]; concerns: string[] }> {
  const { checks, setup, protect } = policy
  const lines = await Promise.all(checks.map((check) => typedAtRoot(repository, check, base)))
  const commands = [...lines.flat(), ...(setup === null ? [] : [setup.run])]
  const closure = await scriptClosure({ commands, readFile: (path) => repository.readFile(base, path) })
  const code = await world.code()
  const files = {
    list: () => repository.listFiles(commit),
    read: (paths: readonly string[]) => repository.readFiles(commit, paths),
  }
  const findings = [
    ...inspect({ changes, story, closure, protect, ownText }),
    ...(await secretFindings(changes, await world.secrets())),
    ...scopeFindings({ changes, story }),
    ...(await duplicateFindings(changes, { code, files })),
  ]
  return { findings, concerns: changes.length === 0 ? [] : [...code.concerns] }
}

interface Read {
  changes: FileChange[]
  base: CommitId
  commit: CommitId
  story: Inspection['story'] & Scope['story']
  policy: Pick<Policy, 'checks' | 'setup' | 'protect'>
}

/** Nothing to mend, but people should know. That a file was not declared is no news to them. */
const isConcern = ({ severity, rule }: Finding): boolean =>
  severity === 'suggestion' && !['outside-declared-files', 'more-findings'].includes(rule)
