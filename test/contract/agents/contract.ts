// What every agent driver must do with the real agent, against the fake model API.
import { describe, it } from 'vitest'
import type { Case } from './case.ts'
import { endings } from './cases/endings.ts'
import { pretenders } from './cases/pretenders.ts'
import { refusals } from './cases/refusals.ts'
import { working } from './cases/working.ts'
import type { Rig } from './rig.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** How the turn ended, for the table. */
    ended?: string
  }
}

export function agentContract(rig: Rig): void {
  describe(rig.name, () => {
    for (const part of [working, refusals, endings, pretenders]) tried(rig, part)
  })
}

/** A part of the contract that needs no agent of its own. */
export function tried(rig: Rig, cases: Case[]): void {
  for (const { title, run } of cases) {
    it(title, async ({ task }) => {
      const { status, error } = await run(rig)
      task.meta.ended = error?.kind ?? status
    })
  }
}
