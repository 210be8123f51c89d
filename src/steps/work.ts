import type { RunBasis, Standing } from '../delivery/inputs/briefing.ts'
import type { InputOf } from '../delivery/inputs/input.ts'
import { noMoney } from '../delivery/money/ledger.ts'
import type { Step } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { Commits } from '../ports/repository/commits.ts'
import type { CleanPlaces } from '../ports/repository/workspaces.ts'
import type { StepWorld } from './world.ts'

type Named = Pick<Step, 'id' | 'story'>

/** Commits, and clean copies of them: what nearly every step needs. */
export type Copies = Commits & CleanPlaces

/** One step and all that it takes to carry it out: its input, and the world that it acts on. */
export interface StepWork<S extends Named = Step, R = Copies, I = S extends Step ? InputOf<S> : RunBasis>
  extends Omit<Performance, 'step' | 'input'> {
  step: S
  input: I
  world: StepWorld
  /** No more of it than the work needs. */
  repository: R
}

/** StepWork that runs commands, whatever it is for; also where no delivery stands behind it. */
export type Running = StepWork<Named, Copies, RunBasis>

/** What a step is performed with where no delivery stands behind it. */
export const aloneWith = <Given extends object>(given: Given) => ({
  ...{ try: 1, record: async () => {}, ...given },
  standing: (): Standing => ({ concerns: [], money: noMoney(), agentStarts: 0 }),
})

/** A concern that the report does not have yet. */
export async function raiseOnce(
  { standing, record }: Pick<Performance, 'standing' | 'record'>,
  story: string | null,
  text: string,
): Promise<void> {
  if (!standing().concerns.includes(text)) await record({ type: 'ConcernRaised', story, text })
}
