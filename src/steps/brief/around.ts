import type { StoryId } from '../../delivery/ids.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Repository } from '../../ports/repository.ts'
import type { StepWorld } from '../world.ts'

/** Where a prompt is put together. */
export interface Around {
  world: Pick<StepWorld, 'places' | 'blobs' | 'memory' | 'redact'>
  state: DeliveryState
  repository: Repository
}

export interface About {
  /** Null: it is about the delivery as a whole. */
  story: StoryId | null
  /** What it is about in the repository, so that the conventions of these folders are told. */
  paths: readonly string[]
  /** For `{{word}}` within the Markdown. */
  words: Record<string, string>
}
