import type { Finding } from '../../../delivery/judging/finding.ts'
import { policyOf, storyOf } from '../../../delivery/state.ts'
import type { StoryState } from '../../../delivery/story/story.ts'
import { isVerified } from '../../../delivery/story/strategy.ts'
import type { FileChange } from '../../../ports/repository.ts'
import { pathsOf } from '../../../proof/files/change.ts'
import {
  beyondTests,
  changedAcceptance,
  changedTestFiles,
  notOfTheirOwn,
} from '../../../proof/inspection/who-may-change.ts'
import { invariant } from '../../../std/never.ts'
import { beforeRed } from '../../commit/before-red.ts'
import { acceptanceChanges } from '../acceptance/files.ts'
import type { Court } from '../run-check.ts'
import { loosenedTests } from './kept-tests.ts'

/** Whether those who write tests and those who write code kept to their own files. */
export async function fileRuleFindings(court: Court, changes: FileChange[]): Promise<Finding[]> {
  const { state, step } = court.performance
  invariant(step.story !== null, 'only a story is inspected')
  const story = storyOf(state, step.story)
  const own = story.phase === 'tests' ? beyondTests(changes) : await ofCoder(court, story)
  const loosened = await loosenedTests(court.repository, story, step)
  return [...own, ...loosened, ...(await ofAcceptance(court, story, changes))].slice(0, mostFindings)
}

const mostFindings = 40

async function ofCoder(court: Court, story: StoryState): Promise<Finding[]> {
  const isOthers = isVerified(policyOf(court.performance.state), story)
  return isOthers && story.red !== null ? await sinceRed(court, story.red) : []
}

async function ofAcceptance({ repository, performance }: Court, story: StoryState, changes: FileChange[]) {
  if (story.kind === 'acceptance') return notOfTheirOwn(changes)
  const theirs = await acceptanceChanges(repository, performance.state)
  return changedAcceptance(changes, new Set(theirs.flatMap(pathsOf)))
}

/** What the line has changed meanwhile came in by a merge, and is nobody's doing here. */
async function sinceRed({ repository, performance }: Court, red: string): Promise<Finding[]> {
  const { base, commit } = performance.step
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
