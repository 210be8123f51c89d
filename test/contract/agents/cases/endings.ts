// The agent is killed, aborted or out of time while a tool runs: nothing of it stays alive, and its session can go on.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentResult, AgentTurn } from '../../../../src/ports/agent-driver.ts'
import { isAlive, marked, pidIn } from '../../shell.ts'
import type { Case } from '../case.ts'
import type { Open, Played, Stage } from '../stage.ts'
import { expectSpent } from './working.ts'

export const endings: Case[] = [
  { title: 'kill -9 in a tool, nothing left alive', run: killed },
  { title: 'goes on after the kill, usage exact', run: goesOn },
  { title: 'aborted in a tool, nothing left alive', run: aborted },
  { title: 'out of time in a tool, nothing left alive', run: outOfTime },
]

async function killed(open: Open): Promise<AgentResult> {
  const stage = await open()
  const turn = stage.turn('SCENARIO:sleep')
  const { result, tool } = await killedIn(stage, turn)
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'crash', retryable: false } })
  expectNothingLeft(turn, tool)
  expect(result.session).toEqual(expect.any(String))
  expect(result.spent.exact).toBe(false)
  await expectSalvaged(stage, turn, result)
  return result
}

/** As if we had died with it: the transcript tells the same, or nothing when the agent had told nothing. */
async function expectSalvaged(stage: Stage, turn: AgentTurn, { spent, session }: AgentResult): Promise<void> {
  const { transcript, prompt } = turn
  const salvaged = await stage.driver().salvage({ transcript, totals: null, session, promptChars: prompt.length })
  expect(salvaged).toMatchObject({ exact: false, usage: spent.usage })
}

async function goesOn(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result: dead } = await killedIn(stage, stage.turn('SCENARIO:sleep The word is heron.'))
  const before = stage.fake.calls().length
  const { session, spent } = dead
  const { result } = await stage.play(stage.turn('SCENARIO:hello Go on.', { session, totals: spent.totals }))
  expect(result).toMatchObject({ status: 'finished', error: null, session })
  const said = stage.fake.calls()[before]!.said.map(({ text }) => text)
  expect(said.join('\n')).toContain('The word is heron.')
  expectSpent(result, stage, before)
  return result
}

async function killedIn(stage: Stage, turn: AgentTurn): Promise<{ result: AgentResult; tool: number }> {
  const running = stage.play(turn)
  const tool = await toolOf(stage, running)
  for (const pid of marked(turn.mark).filter(isOurChild)) process.kill(Number(pid), 'SIGKILL')
  return { result: (await running).result, tool }
}

/** The pid of the sleeping tool, once it sleeps. */
async function toolOf({ workspace }: Stage, running: Promise<Played>): Promise<number> {
  const early = running.then(({ result }) => {
    throw new Error(`it ended before its tool ran: ${JSON.stringify(result)}`)
  })
  return await Promise.race([pidIn(join(workspace, 'sleeping.pid')), early])
}

/** The agent itself, not one of those it has started. */
function isOurChild(pid: string): boolean {
  return readdirSync('/proc').includes(pid) && parentOf(pid) === process.pid
}

const parentOf = (pid: string): number =>
  Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 0)

async function aborted(open: Open): Promise<AgentResult> {
  const stage = await open()
  const abort = new AbortController()
  const turn = stage.turn('SCENARIO:sleep', { signal: abort.signal })
  const running = stage.play(turn)
  const tool = await toolOf(stage, running)
  abort.abort()
  const { result } = await running
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'aborted', retryable: false } })
  expectNothingLeft(turn, tool)
  return result
}

async function outOfTime(open: Open): Promise<AgentResult> {
  const stage = await open()
  const turn = stage.turn('SCENARIO:sleep', { timeoutMs: 30_000 })
  const running = stage.play(turn)
  const tool = await toolOf(stage, running)
  const { result } = await running
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'timeout', retryable: false } })
  expectNothingLeft(turn, tool)
  return result
}

function expectNothingLeft({ mark }: AgentTurn, tool: number): void {
  expect(marked(mark)).toEqual([])
  expect(isAlive(tool)).toBe(false)
}
