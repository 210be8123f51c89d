import { lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Interim } from '../../delivery/events.ts'
import type { Usage } from '../../delivery/money/ledger.ts'
import { type AgentPolicy, isOwnProgram } from '../../delivery/policy.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { AgentDriver, AgentEvent, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement } from '../../ports/shell.ts'
import { isToolsOwn, ownFiles } from '../../proof/files/form.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import { submissionFile, submissionOf } from '../../roles/answer/shape.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { coversAny } from '../../std/glob.ts'
import { hashOf } from '../../std/hash.ts'
import { isConfined } from '../place/run-line.ts'
import { keepText } from '../place/text.ts'
import { raiseOnce } from '../work.ts'
import { mayDo, type Watch, watch } from './supervise.ts'
import {
  type Asking,
  nonceOf,
  overrunBy,
  recordLostTurns,
  recordSpent,
  redactResult,
  refuseUncounted,
  resultFileOf,
  transcriptOf,
} from './turn-record.ts'

export interface TurnRequest {
  prompt: Prompt
  workspace: string
  session: string | null
  /** What the session had spent before, where the agent tells only that; null: nothing yet. */
  totals: Usage | null
  /** What it must answer with; null: nothing is asked of it but its work. */
  contract: Contract<unknown> | null
  /** How often it was asked before in this try. */
  again: number
  /** Where it has less time than its agent has in general. */
  timeoutMs?: number
  /** Where it may ask its model only so often. */
  modelTurns?: number
}

/** One turn of an agent: what is started, its session and what it spent are on record, however it ends. */
export async function takeTurn(work: Asking, request: TurnRequest): Promise<AgentResult> {
  const { world, step, signal } = work
  const { driver, policy } = await driverOf(work)
  await recordLostTurns(work, driver)
  await mkdir(dirname(resultFileOf(work)), { recursive: true, mode: 0o700 })
  // Others may be told of the same file, and read it.
  for (const { path, text } of request.prompt.files) await keepText(path, text)
  await tellContract(work, request.contract)
  const promptDigest = await world.blobs.put(world.redact(request.prompt.text))
  const confined = await isConfined(work)
  if (!confined) refuseFree(work, policy)
  await refuseUncounted(work, policy)
  if (!confined) await tellStray(work, policy, request.workspace)
  signal.throwIfAborted()
  const told = recorder(work, { request, promptDigest })
  const watched = watchTurn(work, { request, policy })
  const onEvent = (event: AgentEvent): Promise<void> => {
    watched.hear(event)
    return told.hear(event)
  }
  world.crashPoint(`${points[step.verb]}:before-agent`)
  const confine = confined ? agentConfinement(work, request) : null
  const turn = { ...turnOf(work, { request, policy, confine }), signal: watched.signal, onEvent }
  const result = await driver.run(turn).then(watched.judged).finally(watched.close)
  world.crashPoint(`${points[step.verb]}:after-agent`)
  await redactResult(work)
  await told.recorded()
  const { spent, durationMs, status } = result
  const context = watched.context()
  await recordSpent(work, { role: request.prompt.role, spent, durationMs, worked: status !== 'failed', context })
  // Whoever aborts may have given the workspace to somebody else: nothing in it is touched any more.
  signal.throwIfAborted()
  await putBackOwnFiles(work, request.workspace)
  return result
}

async function tellContract(work: Asking, contract: TurnRequest['contract']): Promise<void> {
  const path = submissionFile(resultFileOf(work))
  if (contract === null) await rm(path, { force: true })
  else await writeFile(path, JSON.stringify(submissionOf(contract)), { mode: 0o600 })
}

function watchTurn(work: Asking, { request, policy }: { request: TurnRequest; policy: AgentPolicy }): Watch {
  const { id, story, agent, model } = work.step
  return watch(
    work.world,
    { step: id, story, agent, model },
    {
      delivery: work.input.delivery,
      signal: work.signal,
      idleTimeoutMs: policy.idleTimeoutMs,
      modelTurns: request.modelTurns ?? null,
      overrun: ({ usage, ...used }, ms) => overrunBy(work, { usage, ms, model: used.model ?? model }),
    },
  )
}

const points: Record<AgentStep['verb'], string> = {
  ReadRequirement: 'read',
  CheckAssumptions: 'assumptions',
  TryExamples: 'examples',
  DraftPlan: 'plan',
  AuditPlan: 'audit',
  CodeStory: 'code',
  Review: 'review',
  ReviewStory: 'reviewer',
  TriageFindings: 'triage',
  ReproduceFindings: 'reproduce',
  RespecifyStory: 'respecify',
}

/** Which of its kind it is, for the agent. */
function roundOf(step: AgentStep): number {
  switch (step.verb) {
    case 'DraftPlan':
      return step.revision
    case 'ReviewStory':
      return step.reviewRound
    case 'TriageFindings':
      return step.retry + 1
    default:
      return 'round' in step ? step.round : step.turn + 1
  }
}

async function driverOf({ world, input, step }: Asking): Promise<{ driver: AgentDriver; policy: AgentPolicy }> {
  const policy = input.policy.agents[step.agent]
  const driver = policy === undefined ? null : await world.driver(policy.driver)
  if (policy !== undefined && driver !== null) return { driver, policy }
  const what = policy === undefined ? `agent ${step.agent}` : `driver ${policy.driver} (of agent ${step.agent})`
  throw new TerminalError(`there is no ${what}`, `Correct agents.${step.agent} in the settings.`)
}

function turnOf(
  work: Asking,
  { request, policy, confine }: { request: TurnRequest; policy: AgentPolicy; confine: AgentTurn['confine'] },
): Omit<AgentTurn, 'onEvent' | 'signal'> {
  const { world, step, input, mark } = work
  const { prompt, workspace, session, totals, again, contract, modelTurns = null } = request
  const { agent, model, story, base } = step
  const { options, idleTimeoutMs } = policy
  const timeoutMs = Math.min(policy.timeoutMs, request.timeoutMs ?? policy.timeoutMs)
  const resultFile = resultFileOf(work)
  const program = contract === null ? null : world.submitProgram
  return {
    ...{ role: prompt.role, prompt: prompt.text, delivery: input.delivery, agent, model, story, base },
    ...{ workspace, session, totals, mark, options, timeoutMs, idleTimeoutMs, modelTurns, resultFile, confine },
    attempt: 'attempt' in step ? step.attempt : 1,
    round: roundOf(step),
    openAs: sessionId([input.delivery, step.id, work.try, ...(again === 0 ? [] : [again])]),
    // What takes the answer by a tool, for agents that can call it.
    submit: program === null ? null : { program: program.program, args: [program.file, resultFile] },
    environment: { ...world.holdings.environmentOf(workspace), ...subjectOf(work) },
    transcript: transcriptOf(work, { try: work.try, again }),
    onPermission: (asked) => mayDo(policy, { ...input.allowed, redact: world.redact }, asked),
  }
}

/** What an answer must name, so that it is told from one that is only quoted. */
function subjectOf(work: Asking): Record<string, string> {
  const { step } = work
  if ('commit' in step) return { ROPEWALK_COMMIT: step.commit }
  return nonced.includes(step.verb) ? { ROPEWALK_NONCE: nonceOf(work) } : {}
}
const nonced: AgentStep['verb'][] = ['ReadRequirement', 'CheckAssumptions', 'TryExamples', 'AuditPlan']

/** The same for the same try, so that it is known even when nobody could write it down. */
function sessionId(of: unknown[]): string {
  const digits = hashOf([...of, 'session']) + hashOf([...of, 'id'])
  const variant = ((Number.parseInt(digits[16]!, 16) & 3) | 8).toString(16)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, variant + digits.slice(17, 20)]
  return [...parts, digits.slice(20)].join('-')
}

/** Facts go to the log in their order, without making the agent wait. */
function recorder(work: Asking, about: { request: TurnRequest; promptDigest: string }) {
  let last: Promise<void> = Promise.resolve()
  const hear = (event: AgentEvent): Promise<void> => {
    const fact = factOf(event, work, about)
    if (fact === null) return Promise.resolve()
    last = last.then(() => work.record(fact))
    // Looked at when the turn is over; until then it must not count as unhandled.
    last.catch(() => {})
    return last
  }
  return { hear, recorded: () => last }
}

function factOf(
  event: AgentEvent,
  { world, step }: Asking,
  { request, promptDigest }: { request: TurnRequest; promptDigest: string },
): Interim | null {
  const { id, story, agent, model } = step
  if (event.type === 'session') return { type: 'SessionOpened', step: id, story, agent, session: event.session }
  if (event.type !== 'started') return null
  const { prompt, workspace, again } = request
  const { environment, version: agentVersion } = event
  return {
    ...{ type: 'AgentStarted', step: id, story, role: prompt.role, agent, model, promptDigest },
    ...{ promptSource: prompt.source, workspace, command: event.command.map(world.redact), environment, agentVersion },
    ...(again === 0 ? {} : { again }),
  }
}

/** What an agent may touch: its workspace, what its prompt tells it to read, and what its driver adds. */
function agentConfinement({ world, input, repository }: Asking, { workspace, prompt }: TurnRequest): Confinement {
  return {
    write: [workspace],
    // Its own is shown again; what others were told or have answered is neither to be read nor to be written.
    hide: [world.tools.ours, ...world.secretPlaces],
    show: [],
    guard: world.guardedPlaces,
    bare: [world.tools.home],
    kept: [...world.tools.places(), repository.objectsFolder, ...prompt.files.map(({ path }) => path)],
    network: input.policy.egress === 'open',
  }
}

/** The machine that a delivery began on, or its bubblewrap, need not be the one that it goes on with. */
function refuseFree({ input }: Asking, agent: AgentPolicy): void {
  if (input.policy.sandbox === 'none' || agent.permissions !== 'bypass' || isOwnProgram(agent)) return
  throw new TerminalError(
    'an agent that works without asking cannot be confined on this machine any more',
    'Make bubblewrap work again (`ropewalk doctor` says what is wrong), or set `sandbox: none` and resume with --repin.',
  )
}

/** A home of its own keeps an agent to itself only as far as it is confined: what it may have read besides is told. */
async function tellStray(work: Asking, policy: AgentPolicy, workspace: string): Promise<void> {
  if (isOwnProgram(policy) || policy.options.home === 'user') return
  const stray = work.world.strayInstructions(workspace)
  const text = `${work.step.agent} is not confined, and may have read instructions that are not its own: ${stray.join(', ')}`
  if (stray.length > 0) await raiseOnce(work, null, text)
}

/** What a product does to its own files in the repository, unasked, is no work of whoever uses it: it is put back and told. */
async function putBackOwnFiles(work: Asking, workspace: string): Promise<void> {
  const { input, step, repository } = work
  // A story that may change such a file may be about that very line.
  const found = ownFiles.filter(({ path }) => isWithin(workspace, path) && !coversAny(input.mayChange, path))
  for (const { path, keys } of found) {
    const before = await repository.readFile(beganWith(step), path)
    const after = readFileSync(join(workspace, path), 'utf8')
    if (before === after || !isToolsOwn({ before, after, keys })) continue
    if (before === null) rmSync(join(workspace, path))
    else writeFileSync(join(workspace, path), before)
    const text = `${step.agent} rewrote ${path} unasked, as its product does whenever it starts (${keys.join(', ')}); it was put back`
    await raiseOnce(work, step.story, text)
  }
}

/** What its workspace began with. */
function beganWith(step: AgentStep): string {
  if ('from' in step) return step.from
  return 'commit' in step ? step.commit : step.base
}

/** A plain file, and no link on the way that leads out. */
function isWithin(workspace: string, path: string): boolean {
  const file = join(workspace, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
  return realpathSync(dirname(file)) === join(realpathSync(workspace), dirname(path))
}
