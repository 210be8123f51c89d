// A delivery on a real repository with real processes, driven one step at a time.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedDriver } from '../../../src/adapters/agents/scripted/driver.ts'
import { fileBlobs } from '../../../src/adapters/blobs-files/blobs.ts'
import { systemClock } from '../../../src/adapters/clock-system/clock.ts'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import { formats } from '../../../src/adapters/formats/formats.ts'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import { fileMemory } from '../../../src/adapters/memory-files/memory.ts'
import { localPlaces } from '../../../src/adapters/places-local/places.ts'
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { scanSecrets } from '../../../src/adapters/secrets-secretlint/scan.ts'
import { allowedEnvironment } from '../../../src/adapters/shell/environment.ts'
import { openStream } from '../../../src/adapters/shell/redaction.ts'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import { sshSigning } from '../../../src/adapters/ssh/signing.ts'
import { openWeb } from '../../../src/adapters/web/web.ts'
import { dueSteps } from '../../../src/delivery/due.ts'
import type { DeliveryEvent, Interim } from '../../../src/delivery/events.ts'
import { inputOf } from '../../../src/delivery/inputs/input.ts'
import type { Plan, Story } from '../../../src/delivery/plan/plan.ts'
import type { AgentPolicy, Policy } from '../../../src/delivery/policy.ts'
import { baseStep } from '../../../src/delivery/shared/room.ts'
import type { DeliveryState } from '../../../src/delivery/state.ts'
import type { Step, Verb } from '../../../src/delivery/step.ts'
import { load } from '../../../src/engine/load.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Ending, Perform } from '../../../src/ports/performer.ts'
import type { Repository } from '../../../src/ports/repository/repository.ts'
import { performers } from '../../../src/steps/perform.ts'
import type { StepWorld } from '../../../src/steps/world.ts'
import { agentDefaults, defaults } from '../../default-settings.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { makeUserRepository } from '../user-repository.ts'

export interface Yard {
  user: string
  home: string
  world: StepWorld
  log: EventLog
  repository: Repository
  state(): Promise<DeliveryState>
  due(verb: Verb, story?: string): Promise<Step>
  /** Puts an event into the log, as a human's intent would. */
  tell(event: DeliveryEvent): Promise<void>
  /** Performs the due step of this verb and records what comes of it. */
  perform(verb: Verb, how?: How): Promise<Performed>
}

interface How {
  /** Of this story, where several have such a step. */
  story?: string
  try?: number
  signal?: AbortSignal
  /** The outcome is lost, as when we are killed before it is recorded. */
  lose?: boolean
}

export interface Performed {
  ending: Ending
  interims: Interim[]
}

export interface Given {
  files: Record<string, string>
  stories: Partial<Story>[] | null
  /** Entries of the scripted agent. */
  script: unknown[]
  policy?: Partial<Policy>
  requirement?: string
  /** Nothing is known about the requirement yet; else that is done where the planner is to draft. */
  unread?: true
  /** What the checks show of the base is not known yet; else the law takes it as known, and the first judge finds out. */
  untried?: true
}

const delivery = 'd1'

export async function openYard(given: Given): Promise<Yard> {
  const user = makeUserRepository(given.files)
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-steps-'))
  const repositories = openRepositories({ home })
  const found = await repositories.find(user)
  const repository = await repositories.open(found)
  const log = memoryLog({ isAlive: () => true })
  const world = worldOf(home, { repository, log })
  const base = await repository.fetchTarget('main')
  const put = (events: DeliveryEvent[]) => append(log, events)
  const tell = (event: DeliveryEvent) => put([event])
  const requirement = { text: given.requirement ?? 'Make it so.', source: 'test', submitter: 'Ada' }
  const policy = { ...policyFor(given.script), ...given.policy }
  await put([
    { type: 'DeliveryRequested', requirement, repository: found, target: 'main', base, review: null },
    { type: 'PolicyPinned', policy, hash: 'p1' },
  ])
  if (given.stories !== null)
    await put([{ type: 'PlanGiven', plan: planOf(given.stories), revision: 1, cause: 'test' }])
  const state = () => load(log, delivery)
  const due = async (verb: Verb, story?: string) => dueStep(await state(), verb, story)
  const perform = stepper(log, performers(world))
  if (given.untried === undefined) await takeBaseAsKnown(log, await state())
  if (given.stories === null && given.unread === undefined) await perform(await due('HarvestContext'))
  return {
    user,
    home,
    world,
    log,
    repository,
    state,
    due,
    tell,
    perform: async (verb, how) => perform(await due(verb, how?.story), how),
  }
}

function worldOf(home: string, { repository, log }: { repository: Repository; log: EventLog }): StepWorld {
  const redactor = { stream: () => openStream(() => ({ pattern: /hunter2/g, spanning: [] })) }
  const shell = openShell({ graceMs: 200, redactor })
  const redact = (text: string) => text.replaceAll('hunter2', '[redacted]')
  const environment = (extra: Record<string, string>) => allowedEnvironment(process.env, extra)
  const scripted = scriptedDriver({ shell, environment, redact })
  return {
    repository: async () => repository,
    shell,
    places: localPlaces(home),
    pool: filePool(home),
    holdings: fileHoldings(home),
    blobs: fileBlobs(home),
    log,
    driver: async (name) => (name === 'scripted' ? scripted : null),
    environment,
    submitProgram: null,
    environmentKey: 'this machine',
    redact,
    learnSecrets: () => {},
    clock: systemClock(),
    crashPoint: () => {},
    signing: sshSigning(),
    prices: { usd: async () => null },
    memory: fileMemory(home),
    pulses: { beat: () => {}, stop: () => {}, of: () => [] },
    secretPlaces: [],
    strayInstructions: () => [],
    tools: { home: join(home, 'nobody'), ours: home, places: () => [], caches: async () => [], compiled: null },
    web: async () => openWeb(),
    code: () => loadCodeReader(),
    secrets: async () => scanSecrets,
    formats: async () => formats(),
    guardedPlaces: [],
    dayOf: () => 'today',
  }
}

function policyFor(script: unknown[]): Policy {
  const agent = agentOf(script)
  return {
    ...defaults,
    target: 'main',
    gates: 'auto',
    unattended: false,
    agents: { mine: agent },
    roles: {
      coder: ['mine'],
      planner: ['mine'],
      testWriter: [],
      verifier: [],
      interpreter: [],
      challenger: [],
      triager: [],
    },
    review: { ...defaults.review, reviewers: [] },
    changedTests: 'block',
    // Commands here tell us by files of ours what happened; what confinement does has tests of its own.
    sandbox: 'none',
    judges: ['inspection', 'check:test'],
    checks: [check({})],
    limits: { ...defaults.limits, checks: 2 },
    workingHours: null,
  }
}

export const agentOf = (script: unknown[]): AgentPolicy => ({
  driver: 'scripted',
  options: { steps: script },
  models: {},
  timeoutMs: agentDefaults.timeoutMs,
  idleTimeoutMs: agentDefaults.idleTimeoutMs,
  reserveUsd: 0,
  permissions: 'bypass',
  allow: [],
  cheaper: null,
})

export const check = (changes: Partial<Policy['checks'][number]>): Policy['checks'][number] => ({
  name: 'test',
  run: 'true',
  fix: null,
  timeoutMs: 30_000,
  // Most of them only look for a file.
  parser: /--test|npm|mocha|\b(?:all|run)\.sh/.test(changes.run ?? '') ? 'auto' : 'exit-code',
  report: null,
  needs: [],
  related: null,
  full: 'story',
  packages: [],
  ...changes,
})

function planOf(stories: Partial<Story>[]): Plan {
  const plain = { description: '', criteria: [], dependsOn: [], complexity: 3, files: [], mayChange: [] } as const
  const proving = { strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [], contextFiles: [], risks: [] }
  return {
    outline: null,
    stories: stories.map((story, index) => ({
      ...(structuredClone({ ...plain, ...proving }) as unknown as Story),
      id: `s${index + 1}`,
      title: `Story ${index + 1}`,
      mayBeEmpty: false,
      ...story,
    })),
  }
}

function dueStep(state: DeliveryState, verb: Verb, story?: string): Step {
  const { steps } = dueSteps(state, { at: Date.now(), day: '2024-01-01', open: true, changesAt: null })
  const step = steps.find((one) => one.verb === verb && (story === undefined || one.story === story))
  if (step === undefined)
    throw new Error(`${verb} is not due, but ${steps.map((one) => one.verb).join(', ') || 'nothing'}`)
  return step
}

async function takeBaseAsKnown(log: EventLog, state: DeliveryState): Promise<void> {
  const step = baseStep(state)
  if (step === null) return
  const started = { type: 'StepStarted', step, try: 1, worker: 'w', mark: 'test:base', reserveUsd: 0 } as const
  await append(log, [started, { type: 'BaseTried', step: step.id, base: step.base, told: [] }])
}

function stepper(log: EventLog, perform: Perform) {
  return async (step: Step, how: How = {}): Promise<Performed> => {
    const interims: Interim[] = []
    const [number, mark] = [how.try ?? 1, `test:${delivery}:${step.id}:${how.try ?? 1}`]
    await append(log, [{ type: 'StepStarted', step, try: number, worker: 'w', mark, reserveUsd: 0 }])
    const state = await load(log, delivery)
    const ending = await perform({
      ...{ step, input: inputOf(state, step), standing: () => state },
      try: number,
      mark,
      signal: how.signal ?? new AbortController().signal,
      record: async (event) => {
        interims.push(event)
        await append(log, [event])
        // As the driver's own, it moves on while the step runs.
        Object.assign(state, await load(log, delivery))
      },
    })
    if (how.lose !== true) await append(log, [ending])
    return { ending, interims }
  }
}

async function append(log: EventLog, events: DeliveryEvent[]): Promise<void> {
  const { version: expected } = await load(log, delivery)
  const fresh = events.map((event) => ({ at: 1_700_000_000_000 + expected * 1000, actor: 'test', cause: null, event }))
  const appended = await log.append({ delivery, expected, events: fresh, fence: null, slots: [] })
  if (appended.status !== 'appended') throw new Error(`the event was not appended: ${appended.status}`)
}
