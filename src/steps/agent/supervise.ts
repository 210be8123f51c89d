import { noUsage, tokensOf } from '../../delivery/money/ledger.ts'
import type { AgentPolicy } from '../../delivery/policy.ts'
import { isOfKind, isSeveral, permissionKind, type StoryState } from '../../delivery/story/story.ts'
import type { AgentEvent, AgentResult, PermissionRequest } from '../../ports/agent-driver.ts'
import type { Liveness, Pulse } from '../../ports/pulses.ts'
import { turnCounter } from '../../proof/model-turns.ts'
import type { StepWorld } from '../world.ts'

export type Used = Extract<AgentEvent, { type: 'usage' }>

export interface Watch {
  signal: AbortSignal
  hear(event: AgentEvent): void
  /** What the last call of the model held, in tokens; nothing where the agent does not tell its calls one by one. */
  context(): number | undefined
  /** What we have ended ourselves is told as that. */
  judged(result: AgentResult): AgentResult
  /** The turn is over, however it ended. */
  close(): void
}

interface Bounds {
  delivery: string
  signal: AbortSignal
  idleTimeoutMs: number
  /** How often it may ask its model; null: as often as it likes. */
  modelTurns: number | null
  /** The ceiling that this much, in this time, has reached, or null. */
  overrun(used: Used, ms: number): Promise<string | null>
}

const silent: Used = { type: 'usage', usage: noUsage }
const beatMs = 5_000
const sameCalls = 3
const refusedAgain = 3
const shownLength = 200
/** More than is shown, so that no secret is torn apart before it is redacted. */
const keptLength = 4_000

/** Follows a turn: what it does now is in its pulse, and the same call again and again without effect, or refused, ends it. */
export function watch(
  world: Pick<StepWorld, 'clock' | 'pulses' | 'redact'>,
  subject: Pick<Pulse, 'step' | 'story' | 'agent' | 'model'>,
  given: Bounds,
): Watch {
  const { clock, pulses, redact } = world
  const stop = new AbortController()
  const over = new AbortController()
  const stuck = stuckDetector()
  const refused = refusalCounter(redact)
  const turnsAfter = turnCounter()
  let isOver = false
  let reached: string | null = null
  const [startedAt, seenAt] = [clock.now(), clock.now()]
  const about = { state: 'working', doing: 'starts', until: null, usage: noUsage, usd: null } as const
  const pulse: Pulse = { ...subject, ...about, startedAt, seenAt }
  let used = silent
  let asked: Used | null = null
  let context: number | undefined
  // What cannot be measured now is measured a little later.
  const measure = (): void =>
    void given.overrun(used, clock.now() - startedAt).then(
      (ceiling) => {
        reached ??= ceiling
        if (reached !== null && !over.signal.aborted) stop.abort(new Error('over its ceiling'))
      },
      () => {},
    )
  void beatUntil(over.signal, clock, () => {
    const doing = redact(pulse.doing).slice(0, shownLength)
    pulses.beat(given.delivery, { ...pulse, doing, state: stateOf(pulse, clock.now(), given) })
    measure()
  })
  return {
    signal: AbortSignal.any([given.signal, stop.signal]),
    hear(event) {
      follow(pulse, event, clock.now())
      if (event.type === 'model-asked') asked = used
      if (event.type === 'usage') {
        // Told is the turn so far, so the last call is what it has grown by since its model was asked, or since it was
        // last told; told once, it may have been many calls.
        const before = asked ?? (used === silent ? null : used)
        if (before !== null) context = tokensOf(event.usage) - tokensOf(before.usage)
        used = event
        measure()
      }
      isOver ||= given.modelTurns !== null && turnsAfter(event) > given.modelTurns
      if (isOver) stop.abort(new Error('out of turns'))
      if (stuck.isStuck(event) || refused.isTooOften(event)) stop.abort(new Error('stuck'))
    },
    context: () => context,
    judged(result) {
      if (!stop.signal.aborted || given.signal.aborted) return result
      if (reached === null && !isOver) return asEnded(result, 'stuck', refused.text() ?? stuck.text())
      if (result.status === 'finished') return result
      return reached === null
        ? asEnded(
            result,
            'turns',
            `its model was to be asked more than ${given.modelTurns} times (limits.challengerTurns)`,
          )
        : asEnded(result, 'budget', `the ceiling is reached: ${reached}`)
    },
    close() {
      over.abort()
      pulses.stop(given.delivery, subject.step)
    },
  }
}

async function beatUntil(over: AbortSignal, clock: StepWorld['clock'], beat: () => void): Promise<void> {
  while (!over.aborted) {
    beat()
    await clock.until(clock.now() + beatMs, over)
  }
}

/** Silence of a fifth of what is allowed is worth a word; beyond what is allowed it hangs, until it is ended. */
function stateOf(pulse: Pulse, now: number, { idleTimeoutMs }: Bounds): Liveness {
  if (pulse.state === 'permission' || pulse.state === 'limit') return pulse.state
  const silentMs = now - pulse.seenAt
  return silentMs >= idleTimeoutMs ? 'hung' : silentMs >= idleTimeoutMs / 5 ? 'silent' : 'working'
}

function follow(pulse: Pulse, event: AgentEvent, now: number): void {
  pulse.seenAt = now
  pulse.state = 'working'
  const doing = (text: string): unknown => Object.assign(pulse, { doing: text.trim().slice(0, keptLength) })
  if (event.type === 'tool-started') doing(`${event.name} ${event.detail}`)
  else if (event.type === 'text' || event.type === 'thinking') doing(event.text)
  else if (event.type === 'usage') pulse.usage = event.usage
  else if (event.type === 'permission') {
    pulse.state = event.answer === 'ask' ? 'permission' : 'working'
    doing(`may it: ${event.request.title}`)
  } else if (event.type === 'limit' || event.type === 'retry') {
    pulse.state = 'limit'
    pulse.until = event.type === 'limit' ? event.resetsAt : now + event.delayMs
    doing('waits for its service')
  }
}

/** The same call with the same answer, nothing else in between. */
function stuckDetector() {
  const open = new Map<string, string>()
  let last = ''
  let lastCall = ''
  let times = 0
  return {
    text: () => `the same call ${sameCalls} times without effect: ${lastCall.slice(0, 500)}`,
    isStuck(event: AgentEvent): boolean {
      if (event.type === 'tool-started') open.set(event.id, `${event.name} ${event.detail}`)
      if (event.type !== 'tool-ended' || event.output === null) return false
      lastCall = open.get(event.id) ?? ''
      open.delete(event.id)
      const now = JSON.stringify([lastCall, event.ok, event.output])
      times = now === last ? times + 1 : 1
      last = now
      return times >= sameCalls
    },
  }
}

/** A no was told: whoever asks again in the same turn for what is of that kind hears it a few times more. */
function refusalCounter(redact: (text: string) => string) {
  const kinds = new Set<string>()
  let again = 0
  let last = ''
  return {
    isTooOften(event: AgentEvent): boolean {
      if (event.type !== 'permission' || event.answer !== 'deny') return false
      last = permissionText(event.request, redact)
      const kind = kindAsked(last)
      if (kinds.has(kind)) again += 1
      kinds.add(kind)
      return again >= refusedAgain
    },
    /** Why the turn was ended for it; null: it was not. */
    text: () =>
      again < refusedAgain
        ? null
        : `the turn was ended: the agent was refused something and asked for it ${again} times more: ${last.slice(0, 500)}`,
  }
}

function asEnded(result: AgentResult, kind: 'stuck' | 'budget' | 'turns', why: string): AgentResult {
  const message = kind === 'stuck' ? why : `the turn was ended: ${why}`
  return { ...result, status: 'failed', error: { kind, message, status: null, retryable: false, resetsAt: null } }
}

/** What an agent may do without a human: what the settings or a human's earlier answer allow. An earlier no holds too. */
export function mayDo(
  { permissions, allow }: AgentPolicy,
  { grants, denials, redact }: Pick<StoryState, 'grants' | 'denials'> & { redact: Redact },
  asked: PermissionRequest,
): 'allow' | 'deny' | 'ask' {
  const text = permissionText(asked, redact)
  if (permissions === 'bypass' || grants.includes(text) || allow.some((rule) => covers(rule, asked))) return 'allow'
  if (denials.some((denied) => isOfKind(bare(denied), bare(text)))) return 'deny'
  return grants.some((grant) => isOfKind(grant, text) && isNoMore(grant, text)) ? 'allow' : 'ask'
}

/** A no holds also for the call with other variables, by another path, or as somebody else; a yes does not. */
const bare = (text: string): string =>
  text.replace(/^(execute: )(?:(?:env|sudo|nohup|time|command|exec)\s+|\w+=\S*\s+)*(?:\S*\/)?(?=\S)/, '$1')

/** For what a no to this holds. */
export const kindAsked = (text: string): string => permissionKind(bare(text))

/** How a permission is written in the log, and in a grant. */
export const permissionText = ({ kind, title }: PermissionRequest, redact: Redact): string =>
  redact(`${kind}: ${title}`).slice(0, 1_000)

type Redact = (text: string) => string

/** A yes to one call is none to options that it did not have, nor to code in quotes. */
function isNoMore(granted: string, asked: string): boolean {
  const optionsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word.startsWith('-'))
  return !/["'\\$<>]/.test(asked) && optionsOf(asked).every((option) => optionsOf(granted).includes(option))
}

/** `edit` covers every edit, `execute: npm test*` what begins so. A line of several commands is none of them. */
function covers(rule: string, { kind, title }: PermissionRequest): boolean {
  const [wanted = '', ...rest] = rule.split(':')
  if (wanted.trim() !== kind) return false
  const pattern = rest.join(':').trim()
  if (pattern === '') return true
  if (!pattern.endsWith('*')) return title === pattern
  return title.startsWith(pattern.slice(0, -1)) && !isSeveral(title)
}
