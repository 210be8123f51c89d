import type { SubmitProgram } from '../../ports/agent-driver.ts'
import type { Start } from './cli-agent.ts'

/** The server that takes answers, as most agents want to be told of it on their command line. */
export const serverOf = ({ program, args }: SubmitProgram, more: object = {}): string =>
  JSON.stringify({ mcpServers: { ropewalk: { command: program, args, ...more } } })

/** The same in settings that all turns share: there the program finds the place of the answer in its environment. */
export function serversIn({ turn: { submit } }: Start, more: object = {}): object {
  if (submit === null) return {}
  const env = { ROPEWALK_RESULT: '$ROPEWALK_RESULT' }
  return { mcpServers: { ropewalk: { command: submit.program, args: [submit.args[0]], env, trust: true, ...more } } }
}
