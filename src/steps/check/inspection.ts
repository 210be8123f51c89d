import type { CommitId } from '../../delivery/ids.ts'
import type { JudgedStory } from '../../delivery/inputs/judging.ts'
import type { Finding, Verdict } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { Vantage } from '../../delivery/review/review.ts'
import type { Ancestry, Commits, FileChange } from '../../ports/repository/commits.ts'
import { pathBefore, pathsOf } from '../../proof/files/change.ts'
import { onlyFormChanged } from '../../proof/files/form.ts'
import { scriptClosure } from '../../proof/files/script-closure.ts'
import { duplicateFindings } from '../../proof/inspection/duplicates.ts'
import { type Inspection, inspect } from '../../proof/inspection/inspect.ts'
import { objection } from '../../proof/inspection/objection.ts'
import { type Scope, scopeFindings } from '../../proof/inspection/scope.ts'
import { secretFindings } from '../../proof/inspection/secrets.ts'
import {
  beyondTests,
  changedAcceptance,
  changedTestFiles,
  notOfTheirOwn,
} from '../../proof/inspection/who-may-change.ts'
import { vantagesFor } from '../../proof/review/risk.ts'
import { ownText } from '../../roles/coder/prompt.ts'
import { invariant } from '../../std/never.ts'
import { beforeRed } from '../code-story.ts'
import type { StepWorld } from '../world.ts'
import { acceptanceChanges } from './acceptance.ts'
import { type Court, typedAtRoot } from './run-check.ts'
import { verdictFrom } from './verdict.ts'

/** What the diff of a story says by itself, and from where it must be reviewed. */
export async function inspected(court: Court): Promise<{ verdict: Verdict; calls: Vantage[] }> {
  const { step } = court
  const changes = await court.repository.diff(step.base, step.commit)
  const calls = vantagesFor(changes).map(({ vantage }) => vantage)
  return { verdict: await verdictOn(changes, court), calls }
}

async function verdictOn(changes: FileChange[], court: Court): Promise<Verdict> {
  const { input, step } = court
  invariant(input.story !== null, 'an inspection is of a story')
  const { base, commit } = step
  const about = { changes, base, commit, story: input.story.spec, policy: input.policy }
  const read = await readFindings(court, about)
  const findings = [...(await fileRuleFindings(court, changes)), ...read.findings]
  const concerns = [...read.concerns, ...findings.filter(isConcern).map(({ message }) => `${step.story}: ${message}`)]
  return verdictFrom(findings, concerns)
}

/** What a diff says by itself, whoever asks. */
export async function readFindings(
  { world, repository }: { world: Pick<StepWorld, 'code' | 'secrets'>; repository: Commits },
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

/** Whether those who write tests and those who write code kept to their own files. */
export async function fileRuleFindings(court: Court, changes: FileChange[]): Promise<Finding[]> {
  const { story } = court.input
  invariant(story !== null, 'only a story is inspected')
  const own = story.phase === 'tests' ? beyondTests(changes) : await ofCoder(court, story)
  const loosened = await loosenedTests(court.repository, story.reproduced, court.step)
  return [...own, ...loosened, ...(await ofAcceptance(court, story, changes))].slice(0, mostFindings)
}

const mostFindings = 40

const ofCoder = async (court: Court, { isVerified, red }: JudgedStory): Promise<Finding[]> =>
  isVerified && red !== null ? await sinceRed(court, red) : []

async function ofAcceptance({ repository, input }: Court, story: JudgedStory, changes: FileChange[]) {
  if (story.kind === 'acceptance') return notOfTheirOwn(changes)
  const theirs = await acceptanceChanges(repository, input)
  return changedAcceptance(changes, new Set(theirs.flatMap(pathsOf)))
}

/** What the line has changed meanwhile came in by a merge, and is nobody's doing here. */
async function sinceRed({ repository, step }: Court, red: string): Promise<Finding[]> {
  const { base, commit } = step
  const before = await beforeRed(repository, red, base)
  const pathsBetween = async (from: string, to: string): Promise<ReadonlySet<string>> =>
    new Set(before === base ? [] : (await repository.diff(from, to)).flatMap(pathsOf))
  const [changes, written, byLine, ofStory] = await Promise.all([
    repository.diff(red, commit),
    repository.diff(before, red),
    pathsBetween(before, base),
    pathsBetween(base, commit),
  ])
  return changedTestFiles(changes, { written, byLine, ofStory })
}

/** Test files that show what reviewers found, as they were when they failed. */
export async function keptTests(
  repository: Commits & Ancestry,
  reproduced: CommitId | null,
  base: CommitId,
): Promise<FileChange[]> {
  if (reproduced === null) return []
  const [last] = await repository.history({ from: base, to: reproduced, limit: 1 })
  return last === undefined ? [] : await repository.diff(last.parent, reproduced)
}

/** Whoever mends what they show changes the code, and not them. */
export async function loosenedTests(
  repository: Commits & Ancestry,
  reproduced: CommitId | null,
  { base, commit }: { base: CommitId; commit: CommitId },
): Promise<Finding[]> {
  const kept = new Set((await keptTests(repository, reproduced, base)).map(({ path }) => path))
  if (reproduced === null || kept.size === 0) return []
  const changes = await repository.diff(reproduced, commit)
  return changes
    .filter((change) => kept.has(pathBefore(change)) && !onlyFormChanged(change))
    .map((change) =>
      objection({
        rule: 'reproduction-changed',
        file: pathBefore(change),
        message: 'this test shows what reviewers found; mend the code until it passes, and leave the test as it is',
        fixTarget: 'tests',
      }),
    )
}
