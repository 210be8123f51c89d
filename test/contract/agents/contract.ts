// What every agent driver must do with the real agent, against the fake model API.
import { describe, it } from 'vitest'
import type { Case } from './case.ts'
import { answers } from './cases/answers.ts'
import { endings } from './cases/endings.ts'
import { pretenders } from './cases/pretenders.ts'
import { refusals } from './cases/refusals.ts'
import { turns } from './cases/turns.ts'
import { working } from './cases/working.ts'
import type { Rig } from './rig.ts'
import { openStage } from './stage.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** How the turn ended, for the table. */
    ended?: string
  }
}

export const everyCase: Case[] = [working, answers, refusals, endings, turns, pretenders].flat()

/** Several at a time, because most of it is waiting. */
export function agentContract(rig: Rig, cases = everyCase): void {
  describe.concurrent(rig.name, () => {
    for (const { title, run } of cases) {
      it(title, async (context) => {
        const { status, error } = await run((more = () => ({})) => openStage(rig, more(rig), context))
        context.task.meta.ended = error?.kind ?? status
      })
    }
  })
}
