import type { DeliveryState } from '../../../delivery/state.ts'
import { acceptanceOf } from '../../../delivery/story/acceptance.ts'
import type { StoryState } from '../../../delivery/story/story.ts'
import type { FileChange, Repository } from '../../../ports/repository.ts'

/** What the acceptance story has written, as far as it counts already; nothing when there is none. */
export async function acceptanceChanges(repository: Repository, state: DeliveryState): Promise<FileChange[]> {
  const story = acceptanceOf(state)
  const work = story === null ? null : workOf(story)
  return work === null ? [] : await repository.diff(work.base, work.commit)
}

function workOf({ control }: StoryState): { base: string; commit: string } | null {
  switch (control.status) {
    case 'held':
    case 'gated':
    case 'composing':
    case 'proving':
    case 'joined':
      return { base: control.base, commit: control.commit }
    case 'merged':
      return { base: control.onto, commit: control.commit }
    default:
      return null
  }
}
