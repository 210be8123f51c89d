import { randomUUID } from 'node:crypto'
import type { AgentDriver, AgentProbe } from '../../../ports/agent-driver.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { builtinAgent, keyOf, type Service, serviceArgs, serviceIn } from '../agents/builtin.ts'
import type { CliDeps } from '../deps.ts'
import { cliDriver } from '../driver.ts'
import { asList, asNumber, asText, type Json, objectOn } from '../json.ts'

/** Our own agent. Whether it can be used is not in its program but in the service that it is to speak to. */
export function builtinDriver(bundle: string, deps: CliDeps): AgentDriver {
  const driver = cliDriver(builtinAgent(bundle), deps)
  return {
    ...driver,
    async probe(options, cwd) {
      const started = await driver.probe(options, cwd)
      if (!started.usable) return started
      try {
        const service = serviceIn(options, deps.env)
        const { key } = service
        if (key !== null && !deps.env[key])
          return {
            ...started,
            usable: false,
            problem: `there is no key in ${key}`,
            remedy: `Set ${key}, or name another variable with api.key.`,
          }
        return verdictOn(service, await answerOf(service, deps, { bundle, cwd }), started.version)
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error
        return { usable: false, version: started.version, problem: error.message, remedy: error.remedy }
      }
    },
  }
}

/** What the program says when it has asked the service for its models; null when it says nothing. */
async function answerOf(
  service: Service,
  { shell, env, environment }: CliDeps,
  { bundle, cwd }: { bundle: string; cwd: string },
): Promise<Json | null> {
  const exit = await shell.run({
    run: { program: process.execPath, args: [bundle, '--probe', ...serviceArgs(service)] },
    ...{ cwd, env: environment(keyOf(service, env)), input: '', mark: `probe-${randomUUID()}`, timeoutMs: 20_000 },
    ...{ idleTimeoutMs: null, isWaiting: null, done: null, confine: null, spool: null, onLine: null, onStart: null },
    signal: new AbortController().signal,
  })
  return objectOn(exit.stdoutTail)
}

function verdictOn({ key, url, type }: Service, answer: Json | null, version: string | null): AgentProbe {
  const where = url ?? `the ${type} service`
  const unusable = (problem: string, remedy: string): AgentProbe => ({ usable: false, version, problem, remedy })
  if (answer?.answers !== true)
    return unusable(
      `${where} does not answer: ${asText(answer?.problem) ?? 'no reason was told'}`,
      'Start it, or correct api.url in ropewalk.yaml.',
    )
  if (answer.accepted === false)
    return unusable(
      `${where} does not accept the key in ${key ?? 'api.key'}`,
      `Set ${key ?? 'api.key'} to a valid key.`,
    )
  const count = asList(answer.models).length
  const note =
    answer.accepted === true
      ? `${where} answers and offers ${count} ${count === 1 ? 'model' : 'models'}`
      : `${where} answers, but cannot tell its models (status ${asNumber(answer.status)}), nor whether the key is right`
  return { usable: true, version, signedIn: answer.accepted === true ? true : null, notes: [note] }
}
