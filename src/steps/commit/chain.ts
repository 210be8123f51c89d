import type { CommitId } from '../../delivery/ids.ts'
import type { StepWorld } from '../world.ts'

const lookedAt = 200

/**
 * The hash of the last event that made or judged the story's own commit. It stands for the whole chain up to there,
 * and it is the same however often the commit is composed.
 */
export async function chainAt(
  world: StepWorld,
  subject: { delivery: string; story: string; commit: CommitId },
): Promise<{ hash: string; at: number } | null> {
  const { delivery, story, commit } = subject
  const recorded = await world.log.query({
    delivery,
    story,
    types: ['StoryCoded', 'StoryTidied', 'Judged'],
    after: 0,
    limit: lookedAt,
    from: 'last',
  })
  const last = recorded.findLast(({ event }) => 'commit' in event && event.commit === commit)
  return last === undefined ? null : { hash: last.hash, at: last.at }
}
