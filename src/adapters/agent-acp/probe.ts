import { randomUUID } from 'node:crypto'
import type { ClientContext } from '@agentclientprotocol/sdk'
import type { AgentError, AgentProbe } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Exit } from '../../ports/shell.ts'
import type { KnownAgent } from './known-agents.ts'
import { type AcpDeps, type Start, startOf } from './start.ts'
import { authMethods, greet, openSession, Refused } from './talk/session.ts'
import { openWire, type Wire, WireClosed } from './talk/wire.ts'
import { asText, at, type Json } from './told/json.ts'

interface Visit {
  cwd: string
  timeoutMs: number
}

interface Found {
  hello: Json | null
  error: AgentError | null
}

/** Starts it, greets it, and opens a session: that is where those who are not signed in say so. */
export async function probe(options: Record<string, unknown>, how: Visit, deps: AcpDeps): Promise<AgentProbe> {
  try {
    const start = startOf(options, null, deps)
    const { found, exit } = await visit(start, how, deps)
    const answer = probed(found, exit, start)
    return exit.reason === 'timeout' && !answer.usable ? { ...answer, late: true } : answer
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(null, error.message, error.remedy)
  }
}

async function visit(start: Start, { cwd, timeoutMs }: Visit, deps: AcpDeps): Promise<{ found: Found; exit: Exit }> {
  const { client } = await import('@agentclientprotocol/sdk')
  const found: Found = { hello: null, error: null }
  let end = (): void => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  let wire: Wire | null = null
  let talking: Promise<void> = Promise.resolve()
  const exit = await deps.shell.run({
    run: { program: start.program, args: start.args },
    cwd,
    env: deps.environment(start.passed),
    input(stdin) {
      wire = openWire(stdin, { onUpdate: () => {}, onAfterthought: () => {} })
      talking = talk(client().connect(wire.stream).agent, { known: start.known, cwd, found }).finally(() => {
        stdin.end()
        end()
      })
      talking.catch(() => {})
    },
    mark: `probe.${randomUUID()}.`,
    timeoutMs,
    idleTimeoutMs: null,
    isWaiting: null,
    done,
    confine: null,
    signal: new AbortController().signal,
    spool: null,
    onLine: (line) => wire?.hear(line),
    onStart: null,
  })
  ;(wire as Wire | null)?.close()
  await talking
  return { found, exit }
}

async function talk(
  agent: ClientContext,
  { known, cwd, found }: { known: KnownAgent; cwd: string; found: Found },
): Promise<void> {
  try {
    found.hello = await greet(agent)
    await openSession({ agent, known, hello: found.hello }, { session: null, cwd, submit: null })
  } catch (error) {
    if (error instanceof Refused) found.error = error.error
    else if (!(error instanceof WireClosed)) throw error
  }
}

function probed({ hello, error }: Found, exit: Exit, { program }: Start): AgentProbe {
  const version = asText(at(hello, 'agentInfo', 'version'))
  if (exit.reason === 'not-found')
    return unusable(null, `there is no program ${program}`, 'Install it, or correct the command.')
  if (error?.kind === 'auth' && hello !== null) {
    const ways = authMethods(hello).flatMap((way) => asText(way.name) ?? asText(way.id) ?? [])
    return {
      usable: true,
      version,
      signedIn: false,
      notes: ways.length === 0 ? [] : [`signs in by: ${ways.join(', ')}`],
    }
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

const unusable = (version: string | null, problem: string, remedy: string): AgentProbe => ({
  usable: false,
  version,
  problem,
  remedy,
})
