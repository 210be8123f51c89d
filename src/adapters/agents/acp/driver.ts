import { rmSync } from 'node:fs'
import type { AgentDriver, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import { turnEnvironment } from '../../../ports/turn-environment.ts'
import type { DriverDeps } from '../turn.ts'
import { isUsed } from '../usage.ts'
import { Conversation } from './conversation.ts'
import { acpConfinement, acpStart } from './known-agents.ts'
import { probeAcp } from './probe.ts'
import { passFirstMinute } from './products.ts'
import { resultOfTalk, salvageTalk } from './result.ts'

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
