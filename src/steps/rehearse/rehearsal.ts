import type { Rehearsal } from '../../ports/proofs/rehearsal.ts'
import { kindOf } from '../../proof/rehearsal/kind.ts'
import { readFindings } from '../check/inspection/inspection.ts'
import type { StepWorld } from '../world.ts'

export function openRehearsal(world: Pick<StepWorld, 'code' | 'secrets'>): Rehearsal {
  return {
    judge: async (repository, { commit: { commit, parent, subject, files }, policy }) => {
      if (parent === null) return null
      const changes = await repository.diff(parent, commit)
      const story = {
        ...{ title: subject, description: '', criteria: [], files: [], mayChange: [] },
        ...{ mayBeEmpty: true },
      }
      const { findings } = await readFindings({ world, repository }, { changes, base: parent, commit, story, policy })
      return { commit, subject, kind: kindOf(files), findings }
    },
  }
}
