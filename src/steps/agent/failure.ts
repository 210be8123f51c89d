import type { Stepping } from '../../delivery/events.ts'
import type { CodeStory, DraftPlan } from '../../delivery/step.ts'
import type { AgentError, AgentResult } from '../../ports/agent-driver.ts'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import { never } from '../../std/never.ts'
import type { StepWorld } from '../world.ts'

type Parked = Extract<Stepping, { type: 'StepParked' }>

/** A turn that ended without a result, and that counts. */
export interface Failed {
  type: 'failed'
  kind: 'timeout' | 'idle' | 'crash'
  message: string
  evidence: string
}

/** What an agent's error means: not now, the world's fault (thrown), or a failed turn. */
export function fateOf(world: StepWorld, step: CodeStory | DraftPlan, result: AgentResult): Parked | Failed {
  const error = result.error ?? unexplained
  const message = world.redact(error.message).slice(0, 2_000)
  switch (error.kind) {
    case 'rate-limit':
    case 'quota':
    case 'overloaded':
      return parked(step, { until: until(error, world.clock.now()), reason: `${step.agent}: ${message}` })
    case 'network':
      throw new TransientError(`${step.agent} lost its connection: ${message}`)
    case 'auth':
    case 'model':
    case 'bad-request':
    case 'permission':
    case 'spawn':
      throw new TerminalError(`${step.agent} cannot work (${error.kind}): ${message}`, remedies(step.agent)[error.kind])
    case 'timeout':
    case 'idle':
      return { type: 'failed', kind: error.kind, message, evidence: lastWords(world, result) }
    case 'crash':
    case 'aborted':
    case 'unknown':
      return { type: 'failed', kind: 'crash', message, evidence: lastWords(world, result) }
    default:
      return never(error.kind)
  }
}

const unexplained: AgentError = {
  kind: 'unknown',
  message: 'it failed and did not say why',
  status: null,
  retryable: false,
  resetsAt: null,
}

const parked = ({ id, story }: CodeStory | DraftPlan, until: Pick<Parked, 'until' | 'reason'>): Parked => ({
  type: 'StepParked',
  step: id,
  story,
  ...until,
})

const unknownWaitMs = 60_000
const longestWaitMs = 24 * 60 * 60_000

/** Never in the past, and never so far off that a wrong clock or date could stop a delivery for good. */
const until = ({ resetsAt }: AgentError, now: number): number =>
  Math.min(Math.max(resetsAt ?? now + unknownWaitMs, now + 1_000), now + longestWaitMs)

const remedies = (agent: string) => ({
  auth: `Log ${agent} in, or give it its key, then try again.`,
  model: `Correct agents.${agent}.models in the settings.`,
  'bad-request': `Correct agents.${agent} in the settings: it does not accept what it is given.`,
  permission: `Allow ${agent} to work in its workspace without asking, then try again.`,
  spawn: `Install ${agent}, or correct its command in agents.${agent}.`,
})

const lastWords = (world: StepWorld, result: AgentResult): string => world.redact(result.text).trim().slice(-4_000)
