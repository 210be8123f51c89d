import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { basisOf } from '../delivery/inputs/briefing.ts'
import { inputOf } from '../delivery/inputs/input.ts'
import { type Vantage, vantages } from '../delivery/review/review.ts'
import { type DeliveryState, policyOf, storyOf } from '../delivery/state.ts'
import { type AgentStep, type CodeStory, type DraftPlan, type Step, usesAgent } from '../delivery/step.ts'
import { forCoder } from '../delivery/story/story.ts'
import { TerminalError } from '../ports/errors.ts'
import type { PromptRequest, Prompts, ToldPrompt } from '../ports/prompts.ts'
import type { Repository } from '../ports/repository/repository.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { type Section, sections } from '../roles/prompt/sections.ts'
import { type PromptName, promptNames, prompts } from '../roles/sees.ts'
import { never } from '../std/never.ts'
import { storyPrompt } from './code-story.ts'
import { claimsPrompt, examplesPrompt, readingPrompt } from './intent/meaning.ts'
import { auditorPrompt, planPrompt, specPrompt } from './intent/planning.ts'
import { tryingPrompt } from './review/reproduce-findings.ts'
import { reviewPrompt } from './review/review-story.ts'
import { triagePrompt } from './review/triage-findings.ts'
import { verdictPrompt } from './review/verifier.ts'
import type { StepWork } from './work.ts'
import type { StepWorld } from './world.ts'

/** Looks at what agents are told, and changes nothing. */
export function openPrompts(world: StepWorld): Prompts {
  return { look: (request) => look(world, request) }
}

async function look(world: StepWorld, asked: PromptRequest): Promise<ToldPrompt> {
  const request = seated(asked)
  requireRole(request.wanted)
  const due = dueFor(request)
  if (due !== null) return await made(world, request, { step: due, status: 'due' })
  const sent = await lastSent(world, request)
  if (sent !== null) return sent
  const supposed = supposedFor(request)
  if (supposed !== null) return await made(world, request, { step: supposed, status: 'supposed' })
  const { wanted, story } = asked
  const about = story === null ? '' : ` about ${story}`
  throw new TerminalError(
    `nobody asks the ${wanted}${about} now, and nobody has`,
    story === null ? `Name a story: ropewalk prompt ${wanted} <story>` : 'Look again when it is its turn.',
  )
}

interface Seated extends PromptRequest {
  /** Of several reviewers, the one who looks from there; null: any of them. */
  vantage: Vantage | null
}

/** As `reviewer-security`. */
function seated(request: PromptRequest): Seated {
  const vantage = vantages.find((one) => request.wanted === `reviewer-${one}`) ?? null
  return vantage === null ? { ...request, vantage } : { ...request, wanted: 'reviewer', vantage }
}

const isAt = (step: Step, vantage: Vantage | null): boolean =>
  vantage === null || (step.verb === 'ReviewStory' && step.vantage === vantage)

function requireRole(wanted: string): void {
  if (promptNames.some((name) => isWanted(wanted, name))) return
  throw new TerminalError(
    `there is no role ${wanted}`,
    `one of: ${promptNames.join(', ')}; or one reviewer, such as reviewer-${vantages[0]}`,
  )
}

const isWanted = (wanted: string, name: PromptName): boolean => name === wanted || prompts[name].role === wanted

/** Whether it is paused or not: what it would be, were it to go on. */
function dueFor({ state, moment, wanted, story, vantage }: Seated): AgentStep | null {
  const running = Object.values(state.running).map((started) => started.step)
  const open = state.mode.status === 'ended' ? [] : dueSteps({ ...state, mode: { status: 'active' } }, moment).steps
  const fitting = [...running, ...open]
    .filter(usesAgent)
    .filter((step) => isWanted(wanted, promptNameOf(state, step)) && (story === null || step.story === story))
    .filter((step) => isAt(step, vantage))
  return fitting[0] ?? null
}

async function made(
  world: StepWorld,
  { state }: PromptRequest,
  { step, status }: { step: AgentStep; status: 'due' | 'supposed' },
): Promise<ToldPrompt> {
  const input = inputOf(state, step)
  const { text, files, source, shown } = await stepPrompt({
    ...{ world, step, input, repository: await world.repository(input.request.repository), standing: () => state },
    ...{ mark: '', signal: new AbortController().signal, record: async () => {} },
    try: state.running[step.id]?.try ?? 1,
  })
  const { story, agent } = step
  const name = source.prompt as PromptName
  const { role } = prompts[name]
  const redacted = files.map(({ path, text }) => ({
    path,
    bytes: Buffer.byteLength(text),
    text: typeof text === 'string' ? world.redact(text) : '(no text)',
  }))
  const told = { status, role, story, agent, text: world.redact(text), files: redacted }
  return { ...told, source, sections: shown, hidden: hiddenFrom(name) }
}

const hiddenFrom = (name: PromptName): string[] => {
  const sees: readonly string[] = prompts[name].sees
  return Object.keys(sections).filter((section) => !sees.includes(section))
}

type Started = Extract<DeliveryEvent, { type: 'AgentStarted' }>

async function lastSent({ log, blobs }: StepWorld, request: Seated): Promise<ToldPrompt | null> {
  const { state, wanted, story, vantage } = request
  const types = ['AgentStarted' as const, 'StepStarted' as const]
  const events = await log.query({ delivery: state.id, types, story, after: 0, limit: 2_000, from: 'last' })
  const steps = events.flatMap(({ event }) => (event.type === 'StepStarted' ? [event.step] : []))
  const elsewhere = new Set(steps.filter((step) => !isAt(step, vantage)).map(({ id }) => id))
  const started = events
    .map(({ event }) => event)
    .findLast(
      (event): event is Started =>
        event.type === 'AgentStarted' &&
        [event.role, event.promptSource.prompt].includes(wanted) &&
        !elsewhere.has(event.step),
    )
  if (started === undefined) return null
  const bytes = await blobs.get(started.promptDigest)
  if (bytes === null) return null
  const { role, agent, promptSource: source } = started
  const known = source.sections.map((name) => ({
    ...{ name, title: '', why: whyOf(name), tokens: null, most: null, left: 0, file: null },
  }))
  const text = Buffer.from(bytes).toString('utf8')
  const hidden = source.prompt in prompts ? hiddenFrom(source.prompt as PromptName) : []
  return { status: 'sent', role, story: started.story, agent, text, files: [], source, sections: known, hidden }
}

const whyOf = (name: string): string =>
  name in sections ? sections[name as Section['name']].why : 'what this role is for'

/** What can be said before it is the turn of anybody. */
function supposedFor(request: PromptRequest): CodeStory | DraftPlan | null {
  const { state, wanted, story } = request
  const { roles } = policyOf(state)
  if (wanted === 'planner' && roles.planner.length > 0) return supposedDraft(request, roles.planner[0]!)
  const known = story === null ? undefined : state.stories[story]
  if (known === undefined || !['coder', 'test-writer', 'test-writer-acceptance'].includes(wanted)) return null
  const { spec, revision, attempt, round, turn } = known
  const at = 'base' in known.control ? known.control.base : state.line.tip || basisOf(state).request.base
  const who = { agent: roles.coder[0] ?? '', tier: 'balanced' as const, model: null, because: '' }
  const phase = wanted === 'coder' ? ('code' as const) : ('tests' as const)
  const about = { story: spec.id, revision, attempt, round, turn, phase, findings: forCoder(known) }
  return { id: 'supposed', verb: 'CodeStory', ...who, ...about, base: at, from: at }
}

function supposedDraft({ state }: PromptRequest, agent: string): DraftPlan {
  const { revision, turns: turn } = state.plan
  const { base } = basisOf(state).request
  const about = { agent, model: null, because: '', base, revision, turn, feedback: [] }
  return { id: 'supposed', verb: 'DraftPlan', story: null, ...about }
}

type AgentVerb = AgentStep['verb']
type StepOf<V extends AgentVerb> = Extract<AgentStep, { verb: V }>

const makers: { [V in AgentVerb]: (work: StepWork<StepOf<V>, Repository>) => Promise<Prompt> } = {
  ReadRequirement: readingPrompt,
  CheckAssumptions: claimsPrompt,
  TryExamples: examplesPrompt,
  DraftPlan: planPrompt,
  AuditPlan: auditorPrompt,
  RespecifyStory: specPrompt,
  CodeStory: storyPrompt,
  Review: verdictPrompt,
  ReviewStory: reviewPrompt,
  TriageFindings: triagePrompt,
  ReproduceFindings: tryingPrompt,
}

/** What the agent of a step is told, made by the same functions as when it is sent. */
const stepPrompt = (work: StepWork<AgentStep, Repository>): Promise<Prompt> =>
  (makers[work.step.verb] as (work: StepWork<AgentStep, Repository>) => Promise<Prompt>)(work)

/** Which prompt that is. */
export function promptNameOf(state: DeliveryState, step: AgentStep): PromptName {
  switch (step.verb) {
    case 'ReadRequirement':
      return step.seat.startsWith('challenger') ? 'challenger' : 'interpreter'
    case 'CheckAssumptions':
      return 'challenger-assumptions'
    case 'TryExamples':
      return 'challenger-examples'
    case 'AuditPlan':
      return 'challenger-plan'
    case 'DraftPlan':
      return 'planner'
    case 'RespecifyStory':
      return 'planner-story'
    case 'CodeStory':
      if (step.phase === 'code') return 'coder'
      return storyOf(state, step.story).kind === 'acceptance' ? 'test-writer-acceptance' : 'test-writer'
    case 'Review':
      return 'verifier'
    case 'ReviewStory':
      return step.rebuts.length > 0 ? 'reviewer-rebuttal' : 'reviewer'
    case 'TriageFindings':
      return 'triager'
    case 'ReproduceFindings':
      return 'test-writer-finding'
    default:
      return never(step)
  }
}
