import { describe, expect, it } from 'vitest'
import { openDesk } from '../../desk/desk.ts'
import type { DeskWorld } from '../../desk/world.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Cli } from '../verb.ts'
import { replayVerb } from './log.ts'

/** A log whose hashes are right, of events that no Ropewalk has written. */
function cliOn(events: object[]): Cli {
  const recorded = events.map((event, i) => ({ delivery: 'd1', version: i + 1, at: 0, event }))
  const log = { deliveries: async () => [{ delivery: 'd1' }], read: async () => recorded }
  const world = { log: async () => log } as unknown as DeskWorld
  const desk = openDesk(world, { user: 'ada', folder: '/', attended: false, hear: () => {} })
  return { desk, screen: { json: false, show: () => {} } } as unknown as Cli
}

describe('a replay of events that somebody has changed', () => {
  it.each([{}, { at: '2' }])('says which one cannot be, and calls it no defect (%o)', async (options) => {
    const cli = cliOn([
      { type: 'PolicyPinned', policy: {} },
      { type: 'PlanGiven', plan: 5 },
    ])
    const error = await replayVerb.act(cli, [], { delivery: 'd1', ...options }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TerminalError)
    expect((error as TerminalError).message).toBe('event 2 of d1 (PlanGiven) tells of what cannot have happened')
    expect((error as TerminalError).remedy).toContain('restore log.sqlite')
  })
})
