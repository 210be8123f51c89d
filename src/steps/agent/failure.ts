import type { Refusal, Stepping } from '../../delivery/events.ts'
import { tokensOf } from '../../delivery/money/ledger.ts'
import { accountOf } from '../../delivery/shared/choosing.ts'
import type { AgentError, AgentResult } from '../../ports/agent-driver.ts'
import { never } from '../../std/never.ts'
import type { Asking } from './turn-record.ts'

type Refused = Extract<Stepping, { type: 'AgentRefused' }>

/** A turn that ended without a result, and that counts. */
interface Failed {
  type: 'failed'
  kind: 'timeout' | 'idle' | 'stuck' | 'crash'
  message: string
  evidence: string
}

/** What becomes of a step whose turn gave no result. */
export type Fate = Refused | Failed | Extract<Stepping, { type: 'StepParked' }>

/** What an agent's error means: its service refused the turn, or the turn failed. `session`: in which the turn began. */
export function fateOf(
  { world, input, step }: Pick<Asking, 'world' | 'input' | 'step'>,
  result: AgentResult,
  session: string | null,
): Fate {
  const error = result.error ?? unexplained
  const message = world.redact(error.message).slice(0, 2_000)
  const refusal = (kind: Refusal): Refused => {
    const { id, story, agent, model } = step
    const until = untilOf(error, world.clock.now())
    const account = accountOf(input.policy.agents[agent]!)
    return {
      type: 'AgentRefused',
      ...{ step: id, story, agent, model, account, kind, until, message },
      remedy: remedies(agent)[kind],
    }
  }
  const evidence = world.redact(result.text).trim().slice(-4_000)
  const failed = (kind: Failed['kind']): Failed => ({ type: 'failed', kind, message, evidence })
  switch (error.kind) {
    case 'rate-limit':
    case 'quota':
    case 'overloaded':
    case 'network':
    case 'auth':
    case 'model':
    case 'permission':
    case 'spawn':
    case 'session':
      return refusal(error.kind)
    case 'bad-request':
      // What went before has become too long or broken: the next turn has a fresh conversation.
      if (session !== null) return refusal('session')
      // It took others in this very turn. A turn that is paid again and again for the same end must count.
      return tokensOf(result.spent.usage) > 0 ? failed('crash') : refusal('bad-request')
    case 'budget':
      return { type: 'StepParked', step: step.id, story: step.story, until: world.clock.now(), reason: message }
    case 'timeout':
    case 'idle':
    case 'stuck':
      return failed(error.kind)
    case 'turns':
      return failed('timeout')
    case 'crash':
    case 'aborted':
    case 'unknown':
      return failed('crash')
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

const longestWaitMs = 24 * 60 * 60_000

/** Never in the past, and never so far off that a wrong clock or date could stop a delivery for good. */
const untilOf = ({ resetsAt }: AgentError, now: number): number | null =>
  resetsAt === null ? null : Math.min(Math.max(resetsAt, now + 1_000), now + longestWaitMs)

const remedies = (agent: string): Record<Refusal, string> => ({
  'rate-limit': 'Wait, or give the role another agent to fall back to.',
  overloaded: 'Wait, or give the role another agent to fall back to.',
  network: `Check whether ${agent}'s service can be reached from this machine.`,
  quota: `Wait for ${agent}'s quota, raise it, or give the role another agent to fall back to.`,
  auth: `Sign ${agent} in, or give it its key, then try again.`,
  model: `Correct agents.${agent}.models in the settings.`,
  'bad-request': `Correct agents.${agent} in the settings: it does not accept what it is given.`,
  permission: `Allow ${agent} to work in its workspace without asking, then try again.`,
  spawn: `Install ${agent}, or correct its command in agents.${agent}.`,
  session: 'Try again: a fresh session is opened.',
})
