import type { DeliveryState } from '../../delivery/state.ts'
import { storyOf } from '../../delivery/state.ts'
import type { StoryState } from '../../delivery/story/story.ts'
import type { FileChange, Repository } from '../../ports/repository.ts'
import type { Changed } from '../../roles/prompt/work-prompt.ts'

/** The stories that this one depends on, with what they truly changed: not what they said they would. */
export async function dependenciesOf(
  state: DeliveryState,
  story: StoryState,
  repository: Repository,
): Promise<Changed[]> {
  const stories = story.spec.dependsOn.map((id) => storyOf(state, id))
  return await Promise.all(stories.map(async (one) => ({ story: one.spec, changed: await changedBy(one, repository) })))
}

/** What has landed may have landed together with others: then what it declared has to do. */
async function changedBy({ control, spec }: StoryState, repository: Repository): Promise<string[]> {
  if (control.status !== 'joined') return spec.files.map((path) => `perhaps ${path}`)
  return (await repository.diff(control.base, control.commit)).map(changeText)
}

const changeText = ({ status, path, oldPath }: FileChange): string =>
  `${status} ${path}${oldPath === null ? '' : ` (was ${oldPath})`}`
