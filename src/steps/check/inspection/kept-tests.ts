import type { CommitId } from '../../../delivery/ids.ts'
import type { Finding } from '../../../delivery/judging/finding.ts'
import type { StoryState } from '../../../delivery/story/story.ts'
import type { FileChange, Repository } from '../../../ports/repository.ts'
import { pathBefore } from '../../../proof/files/change.ts'
import { onlyFormChanged } from '../../../proof/files/form.ts'
import { report } from '../../../proof/inspection/report.ts'

/** Test files that show what reviewers found, as they were when they failed. */
export async function keptTests(
  repository: Repository,
  { review }: Pick<StoryState, 'review'>,
  base: CommitId,
): Promise<FileChange[]> {
  if (review.red === null) return []
  const { commit } = review.red
  const [last] = await repository.history({ from: base, to: commit, limit: 1 })
  return last === undefined ? [] : await repository.diff(last.parent, commit)
}

/** Whoever mends what they show changes the code, and not them. */
export async function loosenedTests(
  repository: Repository,
  story: Pick<StoryState, 'review'>,
  { base, commit }: { base: CommitId; commit: CommitId },
): Promise<Finding[]> {
  const kept = new Set((await keptTests(repository, story, base)).map(({ path }) => path))
  if (kept.size === 0) return []
  const changes = await repository.diff(story.review.red!.commit, commit)
  return changes
    .filter((change) => kept.has(pathBefore(change)) && !onlyFormChanged(change))
    .map((change) =>
      report({
        rule: 'reproduction-changed',
        file: pathBefore(change),
        message: 'this test shows what reviewers found; mend the code until it passes, and leave the test as it is',
        fixTarget: 'tests',
      }),
    )
}
