import { randomUUID } from 'node:crypto'
import type { AgentDriver } from '../../../ports/agent-driver.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { builtinAgent, keyOf, type Service, serviceArgs, serviceIn } from '../agents/builtin.ts'
import type { CliDeps } from '../deps.ts'
import { cliDriver } from '../driver.ts'
import { type Json, objectOn } from '../json.ts'
import { verdictOn } from './verdict.ts'

/** Our own agent. Whether it can be used is not in its program but in the service that it is to speak to. */
export function builtinDriver(bundle: string, deps: CliDeps): AgentDriver {
  const driver = cliDriver(builtinAgent(bundle), deps)
  return {
    ...driver,
    async probe(options, cwd, timeoutMs) {
      const started = await driver.probe(options, cwd, timeoutMs)
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
