import type { Rehearsal } from '../../ports/proofs/rehearsal.ts'
import { kindOf } from '../../proof/material/sort-files.ts'
import { baseRuns } from '../check/base-runs.ts'
import { readFindings } from '../check/inspection.ts'
import type { StepWorld } from '../world.ts'
import { rememberedProofs } from './remembered-proofs.ts'
import { runOn } from './run.ts'

export interface RehearseWorld extends Pick<StepWorld, 'code' | 'secrets'> {
  /** What running needs besides: of a home that is there for this rehearsal alone. */
  steps: () => Promise<StepWorld>
  mark: string
}

export function openRehearsal(world: RehearseWorld): Rehearsal {
  const proofs = rememberedProofs()
  const bases = baseRuns()
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
    run: async (repository, request) => {
      const { log, ...steps } = await world.steps()
      const { findProof } = proofs
      const own = { query: log.query.bind(log), spentOn: log.spentOn.bind(log), findProof }
      const yard = { world: { ...steps, log: own, repository: async () => repository }, repository, bases, proofs }
      return await runOn({ ...yard, mark: world.mark }, request)
    },
  }
}
