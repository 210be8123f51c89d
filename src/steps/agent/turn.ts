import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Interim } from '../../delivery/events.ts'
import type { Usage } from '../../delivery/money/ledger.ts'
import type { AgentPolicy } from '../../delivery/policy.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { AgentDriver, AgentEvent, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import { submissionFile, submissionOf } from '../../roles/answer/submission.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { hashOf } from '../../std/hash.ts'
import { isConfined } from '../place/confine.ts'
import { agentConfinement, putBackOwnFiles, refuseFree, tellStray } from './confine.ts'
import { overrunBy, recordSpent, refuseUncounted } from './ledger.ts'
import { recordLostTurns } from './lost-turns.ts'
import { mayDo } from './permission.ts'
import { type Used, type Watch, watch } from './supervise.ts'
import { type Asking, nonceOf, redactResult, resultFileOf, transcriptOf } from './transcript.ts'

export interface TurnRequest {
  role: string
  model: string | null
  prompt: Prompt
  workspace: string
  session: string | null
  /** What the session had spent before, where the agent tells only that; null: nothing yet. */
  totals: Usage | null
  /** What it must answer with; null: nothing is asked of it but its work. */
  contract: Contract<unknown> | null
  /** How often it was asked before in this try. */
  again: number
  attempt: number
  round: number
  /** Where it has less time than its agent has in general. */
  timeoutMs?: number
  /** Where it may ask its model only so often. */
  modelTurns?: number
}

/** One turn of an agent: what is started, its session and what it spent are on record, however it ends. */
export async function takeTurn(work: Asking, request: TurnRequest): Promise<AgentResult> {
  const { world, input, step, signal } = work
  const { driver, policy } = await driverOf(work)
  await recordLostTurns(work, driver)
  await mkdir(dirname(resultFileOf(work)), { recursive: true, mode: 0o700 })
  for (const file of request.prompt.files) await writeBeside(file, `${step.id}-${work.try}`)
  await tellContract(work, request.contract)
  const promptDigest = await world.blobs.put(world.redact(request.prompt.text))
  const confined = await isConfined(work)
  refuseFree(input.policy, policy, confined)
  await refuseUncounted(world, { agent: step.agent, policy, ceilings: input.policy.ceilings }, request.model)
  if (!confined) await tellStray(work, { policy, workspace: request.workspace })
  signal.throwIfAborted()
  const told = recorder(work, { request, promptDigest, redact: world.redact })
  const watched = watchTurn(work, { request, policy })
  const onEvent = (event: AgentEvent): Promise<void> => {
    watched.hear(event)
    return told.hear(event)
  }
  world.crashPoint(`${pointOf(step)}:before-agent`)
  const named = [work.repository.objectsFolder, ...request.prompt.files.map(({ path }) => path)]
  const confine = confined ? agentConfinement(world, input.policy, { workspace: request.workspace, named }) : null
  const turn = { ...turnOf(work, { request, policy, confine }), signal: watched.signal, onEvent }
  const result = await driver.run(turn).then(watched.judged).finally(watched.close)
  world.crashPoint(`${pointOf(step)}:after-agent`)
  await redactResult(work)
  await told.recorded()
  const { role, model } = request
  const { spent, durationMs } = result
  const worked = result.status !== 'failed'
  await recordSpent(work, { role, model, spent, durationMs, worked, context: watched.context() })
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

/** Others may be told of the same file, and read it: it is there as a whole, or not at all. */
async function writeBeside({ path, text }: Prompt['files'][number], by: string): Promise<void> {
  const own = `${path}.${by}`
  await writeFile(own, text, { mode: 0o600 })
  await rename(own, path)
}

function watchTurn(work: Asking, { request, policy }: { request: TurnRequest; policy: AgentPolicy }): Watch {
  const { world, input, step, signal } = work
  const { story, agent } = step
  const { model, modelTurns = null } = request
  const overrun = ({ usage, ...used }: Used, ms: number) => overrunBy(work, { usage, ms, model: used.model ?? model })
  const given = { delivery: input.delivery, signal, idleTimeoutMs: policy.idleTimeoutMs, modelTurns, overrun }
  return watch(world, { step: step.id, story, agent, model }, given)
}

const pointOf = ({ verb }: AgentStep): string => points[verb]
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
  const { role, model, workspace, session, totals, again, attempt, round } = request
  const { options, idleTimeoutMs } = policy
  const timeoutMs = Math.min(policy.timeoutMs, request.timeoutMs ?? policy.timeoutMs)
  const resultFile = resultFileOf(work)
  return {
    ...{ role, model, workspace, session, totals, attempt, round, mark, options, timeoutMs, idleTimeoutMs },
    agent: step.agent,
    prompt: request.prompt.text,
    openAs: sessionId([input.delivery, step.id, work.try, ...(again === 0 ? [] : [again])]),
    delivery: input.delivery,
    story: step.story,
    base: step.base,
    modelTurns: request.modelTurns ?? null,
    resultFile,
    submit: submitOf(work, request.contract, resultFile),
    environment: { ...world.holdings.environmentOf(workspace), ...subjectOf(work) },
    transcript: transcriptOf(work, { try: work.try, again }),
    confine,
    onPermission: (asked) => mayDo(policy, { ...input.allowed, redact: world.redact }, asked),
  }
}

/** The program that takes the answer by a tool, for agents that can call it. */
function submitOf(
  { world: { submitProgram } }: Asking,
  contract: TurnRequest['contract'],
  resultFile: string,
): AgentTurn['submit'] {
  if (contract === null || submitProgram === null) return null
  return { program: submitProgram.program, args: [submitProgram.file, resultFile] }
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

interface About {
  request: TurnRequest
  promptDigest: string
  redact: (text: string) => string
}

/** Facts go to the log in their order, without making the agent wait. */
function recorder({ step, record }: Asking, about: About) {
  let last: Promise<void> = Promise.resolve()
  const hear = (event: AgentEvent): Promise<void> => {
    const fact = factOf(event, step, about)
    if (fact === null) return Promise.resolve()
    last = last.then(() => record(fact))
    // Looked at when the turn is over; until then it must not count as unhandled.
    last.catch(() => {})
    return last
  }
  return { hear, recorded: () => last }
}

function factOf(event: AgentEvent, step: AgentStep, { request, promptDigest, redact }: About): Interim | null {
  const { id, story, agent } = step
  const { role, model, workspace, again } = request
  if (event.type === 'session') return { type: 'SessionOpened', step: id, story, agent, session: event.session }
  if (event.type !== 'started') return null
  const { environment, version } = event
  const command = event.command.map(redact)
  const promptSource = request.prompt.source
  const about = {
    role,
    agent,
    model,
    promptDigest,
    promptSource,
    workspace,
    command,
    environment,
    agentVersion: version,
  }
  return { type: 'AgentStarted', step: id, story, ...about, ...(again === 0 ? {} : { again }) }
}
