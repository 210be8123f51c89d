// What an agent is for: it edits, it runs commands, it goes on where it was.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { productPlaces } from '../../../../src/adapters/agents/cli/products.ts'
import { openShell } from '../../../../src/adapters/shell/shell.ts'
import { guardedPlaces, secretPlaces } from '../../../../src/adapters/shell/users-home.ts'
import type { AgentResult } from '../../../../src/ports/agent-driver.ts'
import { marked } from '../../shell.ts'
import type { Case } from '../case.ts'
import { countedBy } from '../counted.ts'
import type { Open, Played, Stage } from '../stage.ts'

export const working: Case[] = [
  { title: 'edits a file, runs a command, finishes', run: edits },
  { title: 'does so confined', run: editsConfined },
  { title: 'resumes in a new process, usage exact', run: resumes },
  { title: 'takes a prompt of 1 MB', run: takesLongPrompt },
  { title: 'text that speaks of errors changes nothing', run: speaksOfErrors },
  { title: 'a tool that is silent is not idle', run: waitsForTool },
]

async function edits(open: Open): Promise<AgentResult> {
  const stage = await open()
  const played = await stage.play(stage.turn('SCENARIO:edit Write hello.txt, please.'))
  expectEdited(stage, played)
  const { result, events } = played
  expect(result.session).toEqual(expect.any(String))
  expect(events[0]).toMatchObject({ type: 'started' })
  expect(events).toContainEqual({ type: 'session', session: result.session })
  const started = events.filter((event) => event.type === 'tool-started')
  const ended = events.filter((event) => event.type === 'tool-ended')
  expect(started.length).toBeGreaterThanOrEqual(2)
  expect(ended.map(({ id, ok }) => [id, ok])).toEqual(started.map(({ id }) => [id, true]))
  expectSpent(result, stage, 0)
  return result
}

async function editsConfined(open: Open): Promise<AgentResult> {
  expect(await openShell().unconfinable()).toBeNull()
  const stage = await open()
  const [folder, write] = [dirname(stage.workspace), [stage.workspace]]
  const places = { home: join(folder, 'ropewalk'), userHome: join(folder, 'home'), env: {}, agents: productPlaces({}) }
  const guard = guardedPlaces(places)
  // As a user has them who works with it: it must not depend on changing its settings.
  for (const name of ['skills', 'plugins', 'commands'])
    for (const own of guard.filter((path) => path.endsWith(`/${name}`))) mkdirSync(own, { recursive: true })
  const hide = [...secretPlaces(places), join(folder, 'homes')]
  const confine = { write, hide, guard, show: [], bare: [places.userHome], kept: [], network: true }
  const played = await stage.play(stage.turn('SCENARIO:edit Write hello.txt, please.', { confine }))
  expectEdited(stage, played)
  return played.result
}

function expectEdited({ workspace }: Stage, { result, turn }: Played): void {
  expect(result).toMatchObject({ status: 'finished', error: null, question: null })
  expect(readFileSync(join(workspace, 'hello.txt'), 'utf8')).toBe('hello from fake\nshell-ok\n')
  expect(result.text).toContain('All done')
  expect(readFileSync(turn.transcript, 'utf8')).toContain('All done')
  expect(marked(turn.mark)).toEqual([])
}

async function resumes(open: Open): Promise<AgentResult> {
  const stage = await open()
  const first = await stage.play(stage.turn('SCENARIO:edit The word is heron.'))
  expect(first.result).toMatchObject({ status: 'finished', error: null })
  const before = stage.fake.calls().length
  const { session, spent } = first.result
  const { result } = await stage.play(stage.turn('SCENARIO:read Read hello.txt.', { session, totals: spent.totals }))
  expect(result).toMatchObject({ status: 'finished', error: null, session })
  const [call] = stage.fake.calls().slice(before)
  const prompts = call!.said.filter(({ by }) => by === 'user').map(({ text }) => text)
  expect(prompts.join('\n')).toContain('The word is heron.')
  expect(call!.said.filter(({ by }) => by === 'tool').length).toBeGreaterThanOrEqual(2)
  expectSpent(result, stage, before)
  return result
}

async function takesLongPrompt(open: Open): Promise<AgentResult> {
  const stage = await open()
  const line = '"$HOME" `id` \'é\' \\n {"a": 1}\n'
  const prompt = `SCENARIO:hello\n${line.repeat(Math.floor(1_000_000 / line.length))}end`
  const { result } = await stage.play(stage.turn(prompt))
  expect(result).toMatchObject({ status: 'finished', error: null })
  expect(stage.fake.calls().some((call) => call.prompt.includes(prompt))).toBe(true)
  return result
}

async function speaksOfErrors(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result } = await stage.play(stage.turn('SCENARIO:words'))
  expect(result).toMatchObject({ status: 'finished', error: null })
  expect(result.text).toContain('429')
  return result
}

async function waitsForTool(open: Open): Promise<AgentResult> {
  const stage = await open()
  const act = { do: 'shell', command: 'sleep 7' } as const
  stage.fake.script({ on: 'Wait a while', scenario: { steps: [{ say: 'I wait.', act }, { say: 'I have waited.' }] } })
  const { result } = await stage.play(stage.turn('Wait a while.', { idleTimeoutMs: 4_000 }))
  expect(result).toMatchObject({ status: 'finished', error: null })
  expect(result.text).toContain('I have waited.')
  return result
}

/** The ledger says what the API counted, of this turn alone. */
export function expectSpent({ spent }: AgentResult, { rig, fake }: Stage, sinceCall: number): void {
  expect(spent.exact).toBe(rig.usage === 'told')
  if (spent.exact) expect(spent.usage).toEqual(countedBy(fake, sinceCall))
}
