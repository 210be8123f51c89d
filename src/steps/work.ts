import type { RunBasis, Standing } from '../delivery/inputs/basis.ts'
import type { InputOf } from '../delivery/inputs/input.ts'
import { noMoney } from '../delivery/money/money.ts'
import type { Step } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import type { StepWorld } from './world.ts'

type Named = Pick<Step, 'id' | 'story'>

/** One step and all that it takes to carry it out: its input, and the world that it acts on. */
export interface Work<S extends Named = Step, I = S extends Step ? InputOf<S> : RunBasis>
  extends Omit<Performance, 'step' | 'input'> {
  step: S
  input: I
  world: StepWorld
  repository: Repository
}

/** Work that runs commands, whatever it is for; also where no delivery stands behind it. */
export type Running = Work<Named, RunBasis>

/** Where no delivery stands behind the work. */
export const nothingStanding = (): Standing => ({ concerns: [], money: noMoney(), agentStarts: 0 })
