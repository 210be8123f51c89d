// A case's own fake model, folders and turns.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'vitest'
import type { AgentDriver, AgentEvent, AgentResult, AgentTurn } from '../../../src/ports/agent-driver.ts'
import { countedBy, expectNoLess } from './counted.ts'
import { type FakeModel, openFakeModel } from './fake-model/server.ts'
import type { Tokens } from './fake-model/wire.ts'
import { type Rig, worldIn } from './rig.ts'
import { unpackInto } from './unpacked.ts'

export interface Stage {
  rig: Rig
  fake: FakeModel
  workspace: string
  turn(prompt: string, over?: Partial<AgentTurn>): AgentTurn
  /** Each by a driver of its own, as after a restart; what it spent is compared with what the API counted. */
  play(turn: AgentTurn, counted?: Tokens): Promise<Played>
  driver(): AgentDriver
}

export interface Played {
  result: AgentResult
  events: AgentEvent[]
  turn: AgentTurn
}

/** Opens the stage of a case; some need more in the user's environment. */
export type Open = (more?: (rig: Rig) => Record<string, string>) => Promise<Stage>

let turns = 0

export async function openStage(rig: Rig, env: Record<string, string>, context: TestContext): Promise<Stage> {
  const fake = await openFakeModel()
  const folder = mkdtempSync(join(tmpdir(), `ropewalk-${rig.name}-`))
  context.onTestFinished(async () => {
    await fake.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  const workspace = join(folder, 'workspace')
  for (const name of ['workspace', 'home']) mkdirSync(join(folder, name))
  for (const [path, text] of Object.entries(rig.files)) {
    mkdirSync(join(folder, 'home', dirname(path)), { recursive: true })
    writeFileSync(join(folder, 'home', path), text)
  }
  if (rig.unpacks !== undefined) unpackInto(join(folder, 'home'), rig.unpacks)
  spawnSync('git', ['init', '-q', workspace])
  const driver = () => rig.driver(worldIn(folder, { ...rig.env(fake.url), ...env }))
  return {
    ...{ rig, fake, workspace, driver },
    turn: (prompt, over = {}) => ({
      ...turnIn(folder),
      model: rig.model,
      options: rig.options(fake.url),
      prompt,
      ...over,
    }),
    play: async (turn, counted) => {
      const before = fake.calls().length
      const played = await play(driver(), turn)
      expectNoLess(played.result.spent, counted ?? countedBy(fake, before))
      return played
    },
  }
}

async function play(driver: AgentDriver, turn: AgentTurn): Promise<Played> {
  const events: AgentEvent[] = []
  const onEvent = async (event: AgentEvent): Promise<void> => {
    events.push(event)
    await turn.onEvent(event)
  }
  const result = await driver.run({ ...turn, onEvent })
  return { result, events, turn }
}

function turnIn(folder: string): Omit<AgentTurn, 'prompt' | 'options' | 'model'> {
  const number = ++turns
  return {
    ...{ agent: 'tried', role: 'coder', delivery: 'd1', story: 'hello', attempt: 1, round: 1, base: '0'.repeat(40) },
    workspace: join(folder, 'workspace'),
    session: null,
    openAs: randomUUID(),
    totals: null,
    resultFile: join(folder, `answer-${number}`, 'result.json'),
    environment: {},
    transcript: join(folder, `transcript-${number}.log`),
    mark: `agents-contract.${process.pid}.${number}.`,
    timeoutMs: 120_000,
    idleTimeoutMs: 30_000,
    modelTurns: null,
    confine: null,
    submit: null,
    signal: new AbortController().signal,
    onEvent: async () => {},
    onPermission: () => 'allow',
  }
}
