import { randomUUID } from 'node:crypto'
import type { AgentError, AgentProbe } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { asWords, at, type Json } from '../json.ts'
import { type DriverDeps, probed, quickly, unusable } from '../turn.ts'
import { type AcpStart, acpStart } from './known-agents.ts'
import { authMethods, greet, openAcpSession } from './session.ts'
import { type Ears, openTalk } from './wire.ts'

interface Visit {
  cwd: string
  timeoutMs: number
}

/** Starts it, greets it, and opens a session: that is where those who are not signed in say so. */
export const probeAcp = (options: Record<string, unknown>, how: Visit, deps: DriverDeps): Promise<AgentProbe> =>
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
    await openAcpSession({ wire, known, hello: found.hello }, { session: null, cwd, submit: null })
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
