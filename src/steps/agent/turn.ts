import { writeFile } from 'node:fs/promises'
import type { Interim } from '../../delivery/events.ts'
import type { AgentPolicy } from '../../delivery/policy.ts'
import { policyOf } from '../../delivery/state.ts'
import type { CodeStory, DraftPlan } from '../../delivery/step.ts'
import type { AgentDriver, AgentEvent, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import type { StepWorld } from '../world.ts'
import { recordLostTurns } from './lost-turns.ts'

type Turned = Performance<CodeStory | DraftPlan>

export interface TurnRequest {
  role: string
  model: string | null
  prompt: Prompt
  workspace: string
  session: string | null
  attempt: number
  round: number
}

/** One turn of an agent: what is started, its session and what it spent are on record, however it ends. */
export async function takeTurn(world: StepWorld, performance: Turned, request: TurnRequest): Promise<AgentResult> {
  const { step, signal } = performance
  const { driver, policy } = driverOf(world, performance)
  await recordLostTurns(world, performance)
  for (const { path, text } of request.prompt.files) await writeFile(path, text, { mode: 0o600 })
  const promptDigest = await world.blobs.put(world.redact(request.prompt.text))
  signal.throwIfAborted()
  const told = recorder(performance, { request, promptDigest })
  world.crashPoint(`${pointOf(step)}:before-agent`)
  const result = await driver.run({ ...turnOf(world, performance, request), ...limitsOf(policy), onEvent: told.hear })
  world.crashPoint(`${pointOf(step)}:after-agent`)
  await told.recorded()
  await performance.record({ type: 'TurnSpent', step: step.id, turn: ledgerTurn(step, { ...request, policy }, result) })
  // Whoever aborts may have given the workspace to somebody else: nothing in it is touched any more.
  signal.throwIfAborted()
  return result
}

const pointOf = (step: CodeStory | DraftPlan): string => (step.verb === 'CodeStory' ? 'code' : 'plan')

/** Where a role that must answer writes its JSON in this try. */
export const resultFileOf = (world: StepWorld, { state, step, try: number }: Turned): string =>
  world.places.result(state.id, `${step.id}-${number}.json`)

function driverOf(world: StepWorld, { state, step }: Turned): { driver: AgentDriver; policy: AgentPolicy } {
  const policy = policyOf(state).agents[step.agent]
  const driver = policy === undefined ? null : world.driver(policy.driver)
  if (policy !== undefined && driver !== null) return { driver, policy }
  const what = policy === undefined ? `agent ${step.agent}` : `driver ${policy.driver} (of agent ${step.agent})`
  throw new TerminalError(`there is no ${what}`, `Correct agents.${step.agent} in the settings.`)
}

function turnOf(
  world: StepWorld,
  performance: Turned,
  request: TurnRequest,
): Omit<AgentTurn, 'options' | 'timeoutMs' | 'idleTimeoutMs' | 'onEvent'> {
  const { step, state, mark, signal } = performance
  const { role, model, workspace, session, attempt, round } = request
  return {
    ...{ role, model, workspace, session, attempt, round, mark, signal },
    agent: step.agent,
    prompt: request.prompt.text,
    delivery: state.id,
    story: step.story,
    base: step.base,
    resultFile: resultFileOf(world, performance),
    transcript: world.places.spool(state.id, `${step.id}-${performance.try}.transcript`),
  }
}

const limitsOf = ({ options, timeoutMs, idleTimeoutMs }: AgentPolicy) => ({ options, timeoutMs, idleTimeoutMs })

/** Facts go to the log in their order, without making the agent wait. */
function recorder({ step, record }: Turned, about: { request: TurnRequest; promptDigest: string }) {
  let last: Promise<void> = Promise.resolve()
  const hear = (event: AgentEvent): void => {
    const fact = factOf(event, step, about)
    if (fact === null) return
    last = last.then(() => record(fact))
    // Looked at when the turn is over; until then it must not count as unhandled.
    last.catch(() => {})
  }
  return { hear, recorded: () => last }
}

function factOf(
  event: AgentEvent,
  step: CodeStory | DraftPlan,
  { request, promptDigest }: { request: TurnRequest; promptDigest: string },
): Interim | null {
  const { id, story, agent } = step
  const { role, model, workspace } = request
  if (event.type === 'session') return { type: 'SessionOpened', step: id, story, agent, session: event.session }
  if (event.type !== 'started') return null
  const { command, environment, version } = event
  const about = { role, agent, model, promptDigest, workspace, command, environment, agentVersion: version }
  return { type: 'AgentStarted', step: id, story, ...about }
}

/** A cost that nobody tells is taken to be what was set aside: a ceiling must hold for such an agent, too. */
function ledgerTurn(
  { story, agent }: CodeStory | DraftPlan,
  { role, model, policy }: TurnRequest & { policy: AgentPolicy },
  result: AgentResult,
) {
  const { usage, usd, exact, durationMs } = result
  return { story, role, agent, model, usage, usd: usd ?? policy.reserveUsd, exact: exact && usd !== null, durationMs }
}
