import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { AgentDriver, AgentError, AgentProbe, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { asWords, at, type Json } from '../json.ts'
import { type DriverDeps, probed, quickly, turnEnvironment, unusable } from '../turn.ts'
import { isUsed } from '../usage.ts'
import { Conversation } from './conversation.ts'
import { type AcpStart, acpConfinement, acpStart } from './known-agents.ts'
import { passFirstMinute } from './products.ts'
import { resultOfTalk, salvageTalk } from './result.ts'
import { authMethods, greet, openAcpSession } from './session.ts'
import { type Ears, openTalk } from './wire.ts'

/** Any agent that speaks the Agent Client Protocol. */
export function acpDriver(deps: DriverDeps): AgentDriver {
  return {
    run: (turn) => run(turn, deps),
    salvage: (lost) => salvageTalk(lost, deps.environment({})),
    probe: (options, cwd, timeoutMs) => probeAcp(options, { cwd, timeoutMs }, deps),
  }
}

async function run(turn: AgentTurn, deps: DriverDeps): Promise<AgentResult> {
  const { known, program, args, passed } = acpStart(turn.options, turn.model, deps)
  const given = deps.environment({ ...passed, ...turnEnvironment(turn) })
  const env = { ...given, ...known.prepared?.(turn, given) }
  rmSync(turn.resultFile, { force: true })
  if (known.command[0] === 'gemini' && turn.session !== null)
    await passFirstMinute({ env, session: turn.session }, turn.signal)
  const command = [program, ...args]
  await turn.onEvent({ type: 'started', command, environment: Object.keys(env).sort(), version: null })
  const since = Date.now()
  const conversation = new Conversation(turn, known)
  const { signal, release } = cancelFirst(turn.signal, conversation)
  try {
    const exit = await deps.shell.run({
      ...{ run: { program, args }, cwd: turn.workspace, env, mark: turn.mark, signal, spool: turn.transcript },
      ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs, onStart: null },
      ...{ input: conversation.talk.begin, onLine: conversation.talk.hear, done: conversation.talk.done },
      isWaiting: () => conversation.isWaiting(),
      confine: acpConfinement(turn, known, env),
    })
    const said = await conversation.over()
    const filed = said.session === null ? null : ((await known.filed?.({ env, session: said.session, since })) ?? null)
    const result = resultOfTalk({ turn, known, said, filed, exit })
    tellEnd(turn, result)
    return result
  } finally {
    release()
  }
}

/** What is known only now. */
function tellEnd(turn: AgentTurn, { error, spent }: AgentResult): void {
  if (isUsed(spent.usage)) void turn.onEvent({ type: 'usage', usage: spent.usage })
  if (error?.kind === 'rate-limit' || error?.kind === 'quota')
    void turn.onEvent({ type: 'limit', resetsAt: error.resetsAt })
}

const cancelMs = 1_000

/** Whoever aborts lets the agent know first, so that it can keep its session; it has a moment for that. */
function cancelFirst(asked: AbortSignal, conversation: Conversation) {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    conversation.cancel()
    timer = setTimeout(() => stop.abort(asked.reason), cancelMs)
    void conversation.talk.done.then(() => stop.abort(asked.reason))
  }
  if (asked.aborted) stop.abort(asked.reason)
  else asked.addEventListener('abort', onAbort, { once: true })
  return {
    signal: stop.signal,
    release() {
      clearTimeout(timer)
      asked.removeEventListener('abort', onAbort)
    },
  }
}

interface Visit {
  cwd: string
  timeoutMs: number
}

/** Starts it, greets it, and opens a session: that is where those who are not signed in say so. */
const probeAcp = (options: Record<string, unknown>, how: Visit, deps: DriverDeps): Promise<AgentProbe> =>
  probed(async () => {
    const start = acpStart(options, null, deps)
    const { found, exit } = await visit(start, how, deps)
    const answer = answerOf(found, exit, start)
    return exit.reason === 'timeout' && !answer.usable ? { ...answer, late: true } : answer
  })

interface Found {
  hello: Json | null
  error: AgentError | null
}

async function visit({ known, program, args, passed }: AcpStart, { cwd, timeoutMs }: Visit, deps: DriverDeps) {
  const found: Found = { hello: null, error: null }
  const onRefusal = (error: AgentError): void => {
    found.error = error
  }
  const ears: Ears = { onUpdate: () => {}, onPermission: () => ({}), onAfterthought: () => {}, onRefusal }
  const talk = openTalk(ears, async (wire) => {
    found.hello = await greet(wire)
    await openAcpSession({ wire, known, hello: found.hello }, { session: null, workspace: cwd, submit: null })
  })
  const exit = await deps.shell.run({
    ...{ ...quickly, run: { program, args }, cwd, timeoutMs },
    ...{ env: deps.environment(passed), mark: `probe.${randomUUID()}.`, signal: new AbortController().signal },
    ...{ input: talk.begin, done: talk.done, onLine: talk.hear },
  })
  await talk.over()
  return { found, exit }
}

function answerOf({ hello, error }: Found, exit: Exit, { program }: AcpStart): AgentProbe {
  const version = asWords(at(hello, 'agentInfo', 'version'))
  if (exit.reason === 'not-found')
    return unusable(null, `there is no program ${program}`, 'Install it, or correct the command.')
  if (error?.kind === 'auth' && hello !== null) {
    const ways = authMethods(hello).flatMap((way) => asWords(way.name) ?? asWords(way.id) ?? [])
    const notes = ways.length === 0 ? [] : [`signs in by: ${ways.join(', ')}`]
    return { usable: true, version, signedIn: false, notes }
  }
  if (error !== null) return unusable(version, error.message, 'Start it by hand and see what it says.')
  if (hello === null) return unusable(null, silence(exit), 'Give the command with which it speaks ACP.')
  return { usable: true, version, signedIn: null, notes: [] }
}

function silence(exit: Exit): string {
  const words = exit.stderrTail.trim().slice(-500)
  const how =
    exit.reason === 'timeout'
      ? `within ${Math.round(exit.durationMs / 1000)} s`
      : `before it ended (exit code ${exit.code})`
  return `it did not greet as an ACP agent does ${how}${words && `: ${words}`}`
}
