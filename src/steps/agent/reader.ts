import type { DraftPlan, Review } from '../../delivery/step.ts'
import type { AgentResult } from '../../ports/agent-driver.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { inCleanPlace } from '../place/clean.ts'
import type { StepWorld } from '../world.ts'
import { type TurnRequest, takeTurn } from './turn.ts'

type Reading = Performance<DraftPlan | Review>

/** A turn of an agent that reads a commit, in a copy without our refs, and answers; what it changes there is dropped. */
export async function askReader(
  world: StepWorld,
  performance: Reading,
  {
    repository,
    commit,
    ...turn
  }: { repository: Repository; commit: string } & Omit<TurnRequest, 'workspace' | 'session' | 'model'>,
): Promise<AgentResult> {
  const { step, record } = performance
  return await inCleanPlace({ world, repository, performance }, { name: '', commit }, async (place) => {
    const result = await takeTurn(world, performance, { ...turn, model: step.model, workspace: place, session: null })
    const changed = await changedFiles(repository, commit, place)
    const text = `the ${turn.role} changed files although it may only read; dropped: ${changed.slice(0, 5).join(', ')}`
    if (changed.length > 0) await record({ type: 'ConcernRaised', story: step.story, text })
    return result
  })
}

async function changedFiles(repository: Repository, commit: string, place: string): Promise<string[]> {
  const only = await repository.listFiles(commit)
  const message = { subject: 'dropped', body: '', trailers: [], at: 0 }
  const { changed } = await repository.commitPlace({ path: place, commit, base: commit, only, message })
  return changed
}
