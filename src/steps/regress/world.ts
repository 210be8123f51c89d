import type { Repository } from '../../ports/repository/repository.ts'
import type { StepWorld } from '../world.ts'

/** What a search for a regression needs of the world. */
export interface RegressWorld extends StepWorld {
  clone: Repository
  known: { id: string; path: string }
  /** Names what is on disk for this search, and with the mark its processes, so that they are found after a kill. */
  id: string
  mark: string
}
