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
import { type PromptName, promptNames, prompts, type Section, sections } from '../roles/prompt/sections.ts'
import { storyPrompt } from './code-story.ts'
import { claimsPrompt, examplesPrompt, readingPrompt } from './intent/meaning.ts'
import { auditorPrompt, planPrompt, specPrompt } from './intent/planning.ts'
import { triagePrompt, tryingPrompt } from './review/findings.ts'
import { reviewPrompt } from './review/review-story.ts'
import { verdictPrompt } from './review/verifier.ts'
import { aloneWith, type StepWork } from './work.ts'
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
  // By the same functions as when it is sent.
  const tell = asks[step.verb].tell as (work: StepWork<AgentStep, Repository>) => Promise<Prompt>
  const { role, text, files, source, shown } = await tell({
    ...aloneWith({ world, repository: await world.repository(input.request.repository), mark: '' }),
    ...{ step, input, standing: () => state, signal: new AbortController().signal },
    try: state.running[step.id]?.try ?? 1,
  })
  const { story, agent } = step
  const redacted = files.map(({ path, text }) => ({
    path,
    bytes: Buffer.byteLength(text),
    text: typeof text === 'string' ? world.redact(text) : '(no text)',
  }))
  const told = { status, role, story, agent, text: world.redact(text), files: redacted }
  return { ...told, source, sections: shown, hidden: hiddenFrom(source.prompt as PromptName) }
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
  const unknown = { title: '', tokens: null, most: null, left: 0, file: null }
  const known = source.sections.map((name) => ({ ...unknown, name, why: whyOf(name) }))
  const text = Buffer.from(bytes).toString('utf8')
  const hidden = source.prompt in prompts ? hiddenFrom(source.prompt as PromptName) : []
  return { status: 'sent', role, story: started.story, agent, text, files: [], source, sections: known, hidden }
}

const whyOf = (name: string): string =>
  name in sections ? sections[name as Section['name']].why : 'what this role is for'

/** What can be said before it is the turn of anybody. */
function supposedFor({ state, wanted, story }: PromptRequest): CodeStory | DraftPlan | null {
  const { roles } = policyOf(state)
  const { base } = basisOf(state).request
  const who = { id: 'supposed', model: null, because: '' }
  const planner = wanted === 'planner' ? roles.planner[0] : undefined
  if (planner !== undefined) {
    const { revision, turns: turn } = state.plan
    return { ...who, verb: 'DraftPlan', story: null, agent: planner, base, revision, turn, feedback: [] }
  }
  const known = story === null ? undefined : state.stories[story]
  if (known === undefined || !['coder', 'test-writer', 'test-writer-acceptance'].includes(wanted)) return null
  const { spec, revision, attempt, round, turn, control } = known
  const at = 'base' in control ? control.base : state.line.tip || base
  return {
    ...{ ...who, verb: 'CodeStory', story: spec.id, revision, attempt, round, turn, base: at, from: at },
    ...{ agent: roles.coder[0] ?? '', tier: 'balanced', findings: forCoder(known) },
    phase: wanted === 'coder' ? 'code' : 'tests',
  }
}

type StepOf<V extends AgentStep['verb']> = Extract<AgentStep, { verb: V }>

interface Ask<S extends AgentStep> {
  tell: (work: StepWork<S, Repository>) => Promise<Prompt>
  /** Which prompt that is. */
  name: (step: S, state: DeliveryState) => PromptName
}

const asks: { [V in AgentStep['verb']]: Ask<StepOf<V>> } = {
  ReadRequirement: {
    tell: readingPrompt,
    name: ({ seat }) => (seat.startsWith('challenger') ? 'challenger' : 'interpreter'),
  },
  CheckAssumptions: { tell: claimsPrompt, name: () => 'challenger-assumptions' },
  TryExamples: { tell: examplesPrompt, name: () => 'challenger-examples' },
  DraftPlan: { tell: planPrompt, name: () => 'planner' },
  AuditPlan: { tell: auditorPrompt, name: () => 'challenger-plan' },
  RespecifyStory: { tell: specPrompt, name: () => 'planner-story' },
  CodeStory: {
    tell: storyPrompt,
    name: ({ phase, story }, state) => {
      if (phase === 'code') return 'coder'
      return storyOf(state, story).kind === 'acceptance' ? 'test-writer-acceptance' : 'test-writer'
    },
  },
  Review: { tell: verdictPrompt, name: () => 'verifier' },
  ReviewStory: {
    tell: reviewPrompt,
    name: ({ rebuts }) => (rebuts.length > 0 ? 'reviewer-rebuttal' : 'reviewer'),
  },
  TriageFindings: { tell: triagePrompt, name: () => 'triager' },
  ReproduceFindings: { tell: tryingPrompt, name: () => 'test-writer-finding' },
}

export const promptNameOf = (state: DeliveryState, step: AgentStep): PromptName =>
  (asks[step.verb] as Ask<AgentStep>).name(step, state)
