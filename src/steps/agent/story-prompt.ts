import type { CommitId } from '../../delivery/ids.ts'
import type { Dependency } from '../../delivery/inputs/briefing.ts'
import type { CodeStory } from '../../delivery/step.ts'
import type { Session } from '../../delivery/story/story.ts'
import type { Ancestry, Commits, FileChange } from '../../ports/repository/commits.ts'
import { subjectOf } from '../../proof/witness/subject.ts'
import { type CoderBrief, coderPrompt } from '../../roles/coder/prompt.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import type { Changed, WorkBrief } from '../../roles/prompt/work-prompt.ts'
import type { PromptName } from '../../roles/sees.ts'
import { testWriterPrompt } from '../../roles/test-writer/prompt.ts'
import { settingFor } from '../brief/setting.ts'
import type { Copies, StepWork } from '../work.ts'
import { resultFileOf } from './transcript.ts'

type Coding = StepWork<CodeStory, Copies & Ancestry>

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
